"""Notices by e-mail, by way of the mail server that the host has named."""

from __future__ import annotations

import logging
import re
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

import aiosmtplib

from thorp.core.words import Message, Said, say
from thorp.server.notices.sending import GONE, LATER, REFUSED, SENT, Outcome
from thorp.server.notices.words import Notice
from thorp.server.settings import Settings

log = logging.getLogger(__name__)

#: Seconds in which a mail server has to take a letter.
TIME = 15.0
#: A mail server's answer to who has not logged in.
_LOG_IN_FIRST = 530
_PORTS = {"starttls": 587, "tls": 465, "none": 25}
#: What is written to: plain signs only, so that nothing gets into a header that does not belong there.
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+", re.ASCII)

_CONFIRM_TITLE: Said[str] = "Do you want notices from Thorp here?"
_CONFIRM: Said[str] = """Somebody has given this address at {base} to be told when it is their turn in a game.

If that was you, open this page and say yes:
{link}

If it was not, do nothing: you will not hear from there again."""
_STOP: Said[str] = "You get this because you have asked for it at {base}. To stop it, open this page:\n{link}"


def is_address(text: str) -> bool:
    """Whether a text is an address that can be written to."""
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


class Mail:
    """Writes letters."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def is_set(self) -> bool:
        """Whether the host has named a mail server, and from whom letters come."""
        return bool(self.settings.smtp_host and self.settings.smtp_from)

    async def confirm(self, to: str, base: str, link: str) -> Outcome:
        """Ask whether notices are wanted there."""
        text = say(Message(_CONFIRM, {"base": base, "link": link}))
        return await self._send(to, say(Message(_CONFIRM_TITLE)), text)

    async def tell(self, to: str, notice: Notice, base: str, link: str) -> Outcome:
        """Send a notice. `link`: where the person says that it wants no more."""
        text = f"{notice.letter}\n\n-- \n{say(Message(_STOP, {'base': base, 'link': link}))}"
        return await self._send(to, notice.title, text, link)

    async def _send(self, to: str, title: str, text: str, stop: str = "") -> Outcome:
        settings = self.settings
        # No address is broken into lines, which some readers do not put together again.
        message = EmailMessage(policy.SMTP.clone(max_line_length=900))
        message["From"] = Address("Thorp", addr_spec=settings.smtp_from)
        message["To"] = Address(addr_spec=to)
        message["Subject"] = title
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=settings.smtp_from.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        if stop:
            message["List-Unsubscribe"] = f"<{stop}>"
        message.set_content(text)
        try:
            await aiosmtplib.send(
                message,
                hostname=settings.smtp_host,
                port=settings.smtp_port or _PORTS[settings.smtp_tls],
                username=settings.smtp_user or None,
                password=settings.smtp_password or None,
                use_tls=settings.smtp_tls == "tls",
                start_tls=settings.smtp_tls == "starttls",
                timeout=TIME,
            )
        except (aiosmtplib.SMTPException, OSError) as error:
            log.warning("the mail server did not take a notice (%s)", _kind_of(error))
            return _outcome_of(error)
        return SENT


def _outcome_of(error: Exception) -> Outcome:
    """What it means that a letter was not taken."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        # an address that does not exist, or a mailbox that takes nothing at the moment
        return GONE if all(each.code >= 500 for each in error.recipients) else LATER
    if not isinstance(error, aiosmtplib.SMTPResponseException) or error.code < 500:
        return LATER
    # A wrong login is none of the letter's: whoever runs the server can see to it.
    is_login = isinstance(error, aiosmtplib.SMTPAuthenticationError) or error.code == _LOG_IN_FIRST
    return LATER if is_login else REFUSED


def _kind_of(error: Exception) -> str:
    """A failure by its class, its code, and the class of what is behind it: texts of servers may hold addresses."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return ", ".join(_kind_of(each) for each in error.recipients)
    name = type(error).__name__
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{name} {error.code}"
    return f"{name}, by {type(error.__cause__).__name__}" if error.__cause__ else name
