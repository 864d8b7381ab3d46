"""What the tests of pages rely on: Chromium tells faults."""

import pytest

from tests.browser.looks import fits, no_serious_fault

pytestmark = pytest.mark.usefixtures("processes")


def test_an_error_in_the_console_is_told(new_page):
    page = new_page()
    page.set_content("<script>console.error('lost')</script>")
    page.wait_for_timeout(50)
    assert page.faults == ["console: lost"]
    page.faults.clear()


def test_an_exception_in_a_script_is_told(new_page):
    page = new_page()
    page.set_content("<script>nothing.at.all</script>")
    page.wait_for_timeout(50)
    assert "nothing is not defined" in page.faults[0]
    page.faults.clear()


def test_a_request_that_leaves_the_machine_is_told(new_page):
    page = new_page()
    page.set_content("<img src='https://example.invalid/x.png' alt=''>")
    page.wait_for_timeout(200)
    assert page.faults[0] == "request leaves the machine: https://example.invalid/x.png"
    page.faults.clear()


def test_a_picture_without_a_text_is_a_serious_fault(browser_page):
    browser_page.set_content("<html lang=en><title>a</title><main><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='></main>")
    with pytest.raises(AssertionError, match="image-alt"):
        no_serious_fault(browser_page)


def test_a_page_that_is_too_wide_does_not_fit(browser_page):
    browser_page.set_content("<p style='width: 400px'>a</p>")
    with pytest.raises(AssertionError, match="at 360 px"):
        fits(browser_page)
    fits(browser_page, (1440,))
