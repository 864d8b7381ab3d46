"""The place of reports: students can read theirs, only staff can read the staff's."""


import pytest
from made import report

from autograder.course.storage.report_store import ReportStore, staff_text

PS = "ps2_uct"


@pytest.fixture
def store(tmp_path):
    return ReportStore(tmp_path, PS)


def test_a_report_is_found_again_and_an_unchanged_one_is_not_written_twice(store):
    assert store.put("ada", report({"2.0": "passed"}), {})
    before = store.path("ada").stat().st_mtime_ns
    assert not store.put("ada", report({"2.0": "passed"}), {})
    assert store.path("ada").stat().st_mtime_ns == before
    assert store.put("ada", report({"2.0": "not yet"}), {})
    assert store.get("ada") == report({"2.0": "not yet"})


def test_a_report_that_is_not_there_or_torn_is_none(store):
    assert store.get("ada") is None
    store.put("ada", report({"2.0": "passed"}), {})
    store.path("ada").write_text("{")
    assert store.get("ada") is None


def test_only_staff_may_read_the_staff_report(store):
    store.put("ada", report({"2.0": "passed"}), {"checks": {}})
    staff = store.path("ada").with_name(f"{PS}.staff.json")
    assert staff.stat().st_mode & 0o007 == 0  # outside a course too, where the umask of this process counts


def test_the_staff_report_is_the_same_in_every_run():
    first, second = ({"checks": f"<function f at {address}> gave 7"} for address in ("0x7fa5d2950540", "0x7f6fbb95c9a0"))
    assert staff_text(first) == staff_text(second)
    assert "gave 7" in staff_text(first)


def test_whatever_a_student_sends_can_be_written(store):
    assert store.put("ada", report({"2.0": "passed"}), {"checks": "half a pair: \ud800"})
