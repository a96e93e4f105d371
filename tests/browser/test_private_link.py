"""The private link in the browser: followed, with a script and without one."""

import re

from playwright.sync_api import Browser, Page, expect

from browser.conftest import Server


def _name(page: Page) -> str:
    return page.inner_text(".bar-me")


def test_a_private_link_is_followed(server: Server, page: Page, browser: Browser) -> None:
    """Nothing of it goes to the server, or stays in the address, before the person says so."""
    page.goto(f"{server.address}/me")
    page.fill("input[name='name']", "Ada")
    page.get_by_role("button", name="Change").click()
    link = page.input_value("#private-link")
    key = link.partition("#")[2]

    other = browser.new_context()
    elsewhere = other.new_page()
    asked: list[str] = []
    elsewhere.on("request", lambda request: asked.append(f"{request.url.partition('#')[0]} {request.headers}"))
    elsewhere.goto(link)
    elsewhere.wait_for_function("() => location.hash === ''")
    assert asked
    assert not any(key in each for each in asked)
    expect(elsewhere.get_by_text("You have followed a private link.")).to_be_visible()
    assert _name(elsewhere) == "Guest"
    elsewhere.keyboard.press("Enter")
    elsewhere.wait_for_url(re.compile(r"/$"))
    elsewhere.goto(f"{server.address}/me")
    assert _name(elsewhere) == "Ada"
    other.close()


def test_a_private_link_is_pasted_without_script(server: Server, page: Page, browser: Browser) -> None:
    page.goto(f"{server.address}/me")
    page.reload()
    link = page.input_value("#private-link")
    other = browser.new_context(java_script_enabled=False)
    elsewhere = other.new_page()
    elsewhere.goto(f"{server.address}/me")
    elsewhere.fill("input[name='link']", link)
    elsewhere.get_by_role("button", name="That is me").click()
    elsewhere.wait_for_url(re.compile(r"/$"))
    elsewhere.goto(f"{server.address}/me")
    assert elsewhere.input_value("#private-link") == link
    other.close()


def test_a_code_takes_a_person_to_another_device_once(server: Server, page: Page, browser: Browser) -> None:
    page.goto(f"{server.address}/me")
    page.fill("input[name='name']", "Ada")
    page.get_by_role("button", name="Change").click()
    page.get_by_role("button", name="Make a link").click()
    link = page.input_value("#once-link")
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    for name, sentence in (("Ada", ""), ("Guest", "This link has been used already")):
        other = browser.new_context(viewport={"width": 360, "height": 700})
        phone = other.new_page()
        phone.goto(link)
        phone.wait_for_function("() => location.hash === ''")
        assert _name(phone) == "Guest"
        phone.get_by_role("button", name="That is me").click()
        if sentence:
            expect(phone.get_by_text(sentence)).to_be_visible()
        else:
            phone.wait_for_url(re.compile(r"/$"))
        phone.goto(f"{server.address}/me")
        assert _name(phone) == name
        other.close()
