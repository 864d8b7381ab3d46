"""JupyterHub for one course on one machine: docs/jupyterhub.md says what to make first, and how to start it.

Students work under their Unix accounts, in an environment that has `arena` and nothing of the staff's. Instructors open
formgrader under `/services/autumn/formgrader`; it runs as the account that owns the course and the repository.
"""

from pathlib import Path

COURSE = Path("/srv/mcts/autumn")  # made by `make course`; the folder's name is the course's id
GRADER = "grader"  # the account that owns the course, and the repository with its .venv
INSTRUCTORS = {"ada"}  # accounts that may open formgrader
STUDENTS = "students"  # the Unix group of everybody who may come in
STAFF = Path("/srv/mcts/repository/.venv/bin")  # what `make setup-tests` made
STUDENTS_PLACE = Path("/opt/mcts/bin")  # the students' environment
STATE = Path("/var/lib/jupyterhub")  # the hub's own files
ADDRESS = "http://127.0.0.1:8000"  # where the hub listens; a web server with a certificate is in front of it
FORMGRADER = "http://127.0.0.1:9999"
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
HERE = str(Path(__file__).resolve().parent)  # nbgrader_config.py is here: the exchange and the course, for everybody

c = get_config()  # noqa: F821  (the hub defines it)

# Who may come in: Unix accounts with their passwords.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {STUDENTS}
c.PAMAuthenticator.allowed_users = INSTRUCTORS

# The server of each person, under the own account, in the home.
c.JupyterHub.spawner_class = "localprocess"
c.Spawner.cmd = [str(STUDENTS_PLACE / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.environment = {"PATH": f"{STUDENTS_PLACE}:{SYSTEM_PATH}", "JUPYTER_CONFIG_PATH": HERE}
c.Spawner.mem_limit = "4G"  # nbgrader and JupyterLab take 0.2, PyTorch in problem set 5 takes 2

# formgrader: a server in the course folder, for the group of instructors.
c.JupyterHub.services = [
    {
        "name": COURSE.name,
        "url": FORMGRADER,
        "command": [str(STAFF / "jupyterhub-singleuser")],
        "user": GRADER,
        "cwd": str(COURSE),
        "environment": {
            "PATH": f"{STAFF}:{SYSTEM_PATH}",  # nbgrader calls alembic
            "JUPYTER_CONFIG_PATH": HERE,
            "JUPYTERHUB_DEFAULT_URL": "/formgrader",
        },
        "oauth_no_confirm": True,
    }
]
c.JupyterHub.load_groups = {"instructors": {"users": sorted(INSTRUCTORS)}}
c.JupyterHub.load_roles = [
    {"name": "formgrader", "groups": ["instructors"], "scopes": [f"access:services!service={COURSE.name}"]},
]

c.JupyterHub.bind_url = ADDRESS
c.JupyterHub.db_url = f"sqlite:///{STATE}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = f"{STATE}/cookie_secret"
c.ConfigurableHTTPProxy.pid_file = f"{STATE}/proxy.pid"
c.JupyterHub.cleanup_servers = False  # a restart of the hub ends nobody's work
