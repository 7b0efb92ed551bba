"""Published claims against published numbers: could these p-values come from these scores?"""
