"""The commands `submission`, `page` and `build`: work on one folder, one report or one problem set."""

from pathlib import Path

from arena.errors import UserError
from arena.files import read_regular, write_atomic
from arena.progress import waiting
from autograder.grading.config import Settings
from autograder.grading.edition import public_secret
from autograder.grading.grade import grade_submission
from autograder.grading.report import Report
from autograder.problem_sets import build, write_assignments
from autograder.problem_sets.source import check_known, load
from autograder.submission.read import read_folder

LARGEST_OWN_BYTES = 8 * 1024 * 1024


def grade_folder(folder: Path, ps: str, sandbox: bool = True) -> Report:
    """Grade a folder with the repository's public edition.

    Raises:
        UserError: the folder or the problem set does not exist, or `sandbox=False` is used for other code than our solution.
    """
    check_known(ps)
    if not folder.is_dir():
        raise UserError(f"no such folder: {folder}")
    if not sandbox and not is_own_solution(folder, ps):
        raise UserError(f"{folder} is not the course's own solution of {ps}: it is not graded without the sandbox")
    with waiting(f"grading {ps}"):
        return grade_submission(folder, ps, Settings(secret=public_secret(), sandbox=sandbox)).report


def write_page(report_file: Path, page: Path, folder: Path | None = None) -> Path:
    """Write the feedback page of a report, with the code of a submission's folder if one is given; return the page's path.

    Raises:
        UserError: the report cannot be read, or the path of the page is a folder.
    """
    from autograder.pages.student.report_page import report_page

    if page.is_dir():
        raise UserError(f"{page} is a folder: give the name of the page's file")
    try:
        report = Report.from_json(report_file.read_text(encoding="utf-8"))
        problem_set = load(report.problem_set)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{report_file} is not a report ({type(error).__name__}: {error}): give reports/<student>/<ps>.json"
        raise UserError(message) from None
    sources: dict[str, str] = {}
    if folder is not None:
        for cell in read_folder(folder, report.problem_set).cells:
            if cell.role == "code" and cell.exercise:
                sources[cell.exercise] = f"{sources[cell.exercise]}\n\n{cell.source}" if cell.exercise in sources else cell.source
    student = report_file.resolve().parent.name if report_file.resolve().parent.parent.name == "reports" else ""
    write_atomic(page, report_page(student, problem_set, report, None, sources))
    return page


def is_own_solution(folder: Path, ps: str) -> bool:
    """Whether every form in the folder is byte for byte the output of `build --solution`."""
    notebook, module = build(load(ps), solution=True)
    files = {name: read_regular(folder / name, LARGEST_OWN_BYTES) for name in (f"{ps}.ipynb", f"{ps}.py")}
    own = {f"{ps}.ipynb": notebook.encode(), f"{ps}.py": module.encode()}
    present = [name for name in files if (folder / name).is_symlink() or (folder / name).exists()]
    return bool(present) and all(files[name] == own[name] for name in present)


def build_forms(ps: str | None, solution: bool, module: Path | None, notebook: Path | None) -> list[str]:
    """Write the requested files and return a line about each; for "-" return the text itself, for standard output.

    Raises:
        UserError: the problem set is unknown, a file was given without --ps, or the file's path is a folder.
    """
    if ps is not None:
        check_known(ps)
    if module is None and notebook is None:
        if ps is not None:
            raise UserError("--ps needs --module FILE or --notebook FILE: assignments/ is always built as a whole")
        if solution:
            raise UserError("--solution needs --module FILE or --notebook FILE: solutions are not written into assignments/")
        return [f"wrote {path}" for path in write_assignments()]
    if ps is None:
        raise UserError("--module and --notebook need --ps")
    for path in filter(None, (module, notebook)):
        if path.is_dir():
            raise UserError(f"{path} is a folder: give the name of the file to write")
    notebook_text, module_text = build(load(ps), solution=solution)
    wanted = [(path, text) for path, text in ((module, module_text), (notebook, notebook_text)) if path is not None]
    for path, text in wanted:
        if str(path) != "-":
            write_atomic(path, text)
    return [text.removesuffix("\n") if str(path) == "-" else f"wrote {path}" for path, text in wanted]
