"""For translators: gathers what is said from code, templates and facts, and keeps the catalogues in step with it."""
