"""Pictures: trees, boards, and one simulation after another. Each module loads its drawing library when it draws."""
