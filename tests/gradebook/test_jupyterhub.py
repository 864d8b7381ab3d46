"""A real hub with the files of docs/jupyterhub: who may open formgrader, and what a student does in JupyterLab."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.client import HTTPMessage
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from autograder.gradebook import course as courses
from autograder.paths import REPOSITORY
from tests.formgrader_server import free_port

pytestmark = pytest.mark.usefixtures("whole_world")

pytest.importorskip("jupyterhub")
PS = "ps2_uct"
SHIPPED = REPOSITORY / "docs" / "jupyterhub"
# What replaces Unix's passwords, an account for each person, and the proxy: its table is read by the client below.
HERE_ALONE = '''
import json
from jupyterhub.proxy import Proxy

class Table(Proxy):
    should_start = False
    table = {{}}

    async def add_route(self, routespec, target, data):
        self.table[routespec] = {{"routespec": routespec, "target": target, "data": data}}
        Path({routes!r}).write_text(json.dumps({{spec: route["target"] for spec, route in self.table.items()}}))

    async def delete_route(self, routespec):
        self.table.pop(routespec, None)

    async def get_all_routes(self):
        return dict(self.table)

c.JupyterHub.proxy_class = Table
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.JupyterHub.hub_port = {port}
c.JupyterHub.cleanup_servers = True
for environment in (c.Spawner.environment, c.JupyterHub.services[0]["environment"]):
    environment |= {{"JUPYTER_CONFIG_DIR": {room!r}, "PYTHONPATH": {repository!r}, "JUPYTER_ALLOW_INSECURE_WRITES": "1"}}
'''


def with_names(text: str, **values: object) -> str:
    """The configuration as an instructor edits it: other values for the names at the top, and nothing else."""
    for name, value in values.items():
        line = f"Path({str(value)!r})" if isinstance(value, Path) else repr(value)
        text, number = re.subn(rf"^{name} = .*$", f"{name} = {line}", text, flags=re.M)
        assert number == 1, name
    return text


class Person(urllib.request.HTTPRedirectHandler):
    """A browser with cookies, and a proxy of its own: a path goes where the hub's table leads it."""

    def __init__(self, name: str, routes: Path) -> None:
        self.name, self.routes, self.cookies = name, routes, CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies), self)

    def address(self, path: str) -> str:
        table = json.loads(self.routes.read_text())
        spec = max((spec for spec in table if path.startswith(spec.rstrip("/"))), key=len)
        return f"{table[spec].rstrip('/')}{path}"

    def redirect_request(
            self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        split = urllib.parse.urlsplit(newurl)
        led = self.address(split.path) + (f"?{split.query}" if split.query else "")
        return super().redirect_request(req, fp, code, msg, headers, led)

    def get(self, path: str, data: dict[str, str] | None = None) -> str:
        """A page after all redirects; with `data` a form that is sent, with the token against forged requests."""
        tokens = {cookie.path: cookie.value for cookie in self.cookies if cookie.name == "_xsrf"}
        fitting = [token for place, token in sorted(tokens.items()) if path.startswith(place.rstrip("/"))]
        sent = None if data is None else urllib.parse.urlencode(data | {"_xsrf": fitting[-1] if fitting else ""}).encode()
        address = self.address(path.partition("?")[0]) + path[len(path.partition("?")[0]):]
        with self.opener.open(urllib.request.Request(address, sent), timeout=60) as answer:
            return answer.read().decode()

    def log_in(self) -> None:
        self.get("/hub/login")
        self.get("/hub/login?next=%2Fhub%2Fhome", {"username": self.name, "password": "x"})


@pytest.fixture
def hub(small_class, tmp_path) -> Iterator[Path]:
    """A hub for the small class; the file with its table of routes."""
    courses.tools_on_path()
    room, tools = tmp_path / "etc", Path(sys.executable).parent
    for name in ("etc", "homes", "state", "exchange"):
        (tmp_path / name).mkdir()
    (tmp_path / "exchange").chmod(0o1777)
    shutil.copy(SHIPPED / "nbgrader_config.py", room)
    text = (room / "nbgrader_config.py").read_text().replace('"autumn"', repr(small_class.folder.name))
    (room / "nbgrader_config.py").write_text(text.replace("/usr/local/share/nbgrader/exchange", str(tmp_path / "exchange")))
    (room / "jupyter_server_config.py").write_text("c = get_config()\nc.ServerApp.allow_root = True\n")
    made = with_names(
        (SHIPPED / "jupyterhub_config.py").read_text(), COURSE=small_class.folder, INSTRUCTORS={"ada"}, STAFF=tools,
        STUDENTS_PLACE=tools, STATE=tmp_path / "state", GRADER=os.environ.get("USER", "root"),
        FORMGRADER=f"http://127.0.0.1:{free_port()}", ADDRESS=f"http://127.0.0.1:{free_port()}")
    routes = tmp_path / "routes.json"
    (room / "jupyterhub_config.py").write_text(made + HERE_ALONE.format(
        routes=str(routes), homes=str(tmp_path / "homes"), port=free_port(), room=str(room), repository=str(REPOSITORY)))
    with (tmp_path / "hub.log").open("w") as log:
        process = subprocess.Popen([sys.executable, "-m", "jupyterhub", "-f", room / "jupyterhub_config.py"], cwd=tmp_path,
                                   stdout=log, stderr=log, env={**os.environ, "JUPYTER_CONFIG_PATH": str(room)})
    try:
        waited(lambda: json.loads(routes.read_text())[f"/services/{small_class.folder.name}/"])
        yield routes
    finally:
        process.terminate()
        process.wait(60)
        print((tmp_path / "hub.log").read_text()[-9000:])


def waited(act: Any, seconds: float = 90) -> Any:
    """What `act` returns as soon as it raises nothing."""
    end = time.monotonic() + seconds
    while True:
        try:
            return act()
        except (OSError, KeyError, TypeError, ValueError):
            if time.monotonic() > end:
                raise
            time.sleep(0.5)


def test_instructors_mark_and_students_fetch_and_submit(small_class, hub, tmp_path):
    course = small_class.folder.name
    ada, kim = Person("ada", hub), Person("kim", hub)
    ada.log_in()
    assert PS in waited(lambda: ada.get(f"/services/{course}/formgrader/api/assignments"))
    assert "<title>nbgrader formgrade</title>" in ada.get(f"/services/{course}/")  # the service begins there

    kim.log_in()
    with pytest.raises(urllib.error.HTTPError) as refused:
        kim.get(f"/services/{course}/formgrader")
    assert refused.value.code == 403

    released = small_class.nbgrader("release_assignment", PS, f"--Exchange.root={tmp_path / 'exchange'}")
    assert released.returncode == 0, released.stderr
    kim.get("/hub/spawn")
    waited(lambda: re.search("<title>JupyterLab</title>", kim.get("/user/kim/lab"))[0])
    (listed,) = json.loads(kim.get(f"/user/kim/assignments?course_id={course}"))["value"]
    assert (listed["assignment_id"], listed["status"]) == (PS, "released")
    for step in ("fetch", "submit"):
        answer = json.loads(kim.get(f"/user/kim/assignments/{step}", {"course_id": course, "assignment_id": PS}))
        assert answer["success"], answer
    assert (tmp_path / "homes" / "kim" / PS / f"{PS}.ipynb").is_file()
    (handed_in,) = (tmp_path / "exchange" / course / "inbound").iterdir()
    assert (handed_in / f"{PS}.ipynb").is_file()


def test_the_page_names_what_the_files_name() -> None:
    page, hub_file = ((REPOSITORY / "docs" / "jupyterhub.md").read_text(), (SHIPPED / "jupyterhub_config.py").read_text())
    for place in re.findall(r'Path\("([^"]+)"\)|_GRADER = "(\w+)"', hub_file):
        assert "".join(place).removesuffix("/.venv/bin").removesuffix("/bin") in page
    exchange = re.search(r'Exchange.root = "(.+?)"', (SHIPPED / "nbgrader_config.py").read_text())[1]
    assert f"install -d -m 1777 {exchange}" in page
