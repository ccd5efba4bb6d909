#!/usr/bin/env python3
"""What tools/reference_filter.py makes of headers."""

import unittest

from reference_filter import spelled_out


class ReferenceFilter(unittest.TestCase):
    def test_gives_a_comment_above_to_all_declarations_up_to_an_empty_line(self):
        self.assertEqual(
            spelled_out("/// Both.\nvoid a();\nvoid b(int x,\n       int y);\n\nvoid c();\n"),
            "///@{\n/// Both.\nvoid a();\nvoid b(int x,\n       int y);\n///@}\n\nvoid c();\n",
        )

    def test_ends_a_group_at_the_next_comment(self):
        text = "/// One.\nvoid a();\n/// Another.\nvoid b();\n"
        self.assertEqual(spelled_out(text), text)

    def test_gives_a_comment_to_every_name_of_a_declaration(self):
        self.assertEqual(spelled_out("  double a = 0, b = 0;  ///< [m]\n"), "  ///@{\n  /// [m]\n  double a = 0, b = 0;\n  ///@}\n")
        self.assertEqual(spelled_out("/// Both.\nint a, b;\n"), "///@{\n/// Both.\nint a, b;\n///@}\n")

    def test_leaves_commas_of_types_and_calls_alone(self):
        for text in ["std::map<int, int> a;  ///< one\n", "void f(int a, int b);  ///< one\n", "V g{0, 0, -9.81};  ///< one\n"]:
            self.assertEqual(spelled_out(text), text)

    def test_leaves_the_comment_of_a_type_to_the_type(self):
        text = "/// A point.\nstruct Point {\n  int x;\n  int y;\n};\n"
        self.assertEqual(spelled_out(text), text)

    def test_keeps_functions_with_bodies_whole(self):
        self.assertEqual(
            spelled_out("/// Both.\nint a() {\n  return f();\n}\nint b();\n"),
            "///@{\n/// Both.\nint a() {\n  return f();\n}\nint b();\n///@}\n",
        )


if __name__ == "__main__":
    unittest.main()
