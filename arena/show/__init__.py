"""Pictures: trees, boards, and simulations step by step. Each module loads its drawing library only when it draws."""
