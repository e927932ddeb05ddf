"""Lets LocalStack 4.14 accept two parts of the Amazon States Language that AWS accepts. LocalStack runs this file when it starts.

It rejects a whole number as ToleratedFailurePercentage, and the Arguments of a ResultWriter. The latter it reads as Parameters, which are
JSONPath, so the language changes for that member.
"""

import re

from localstack.services.stepfunctions.asl.component.common.query_language import QueryLanguage, QueryLanguageMode
from localstack.services.stepfunctions.asl.parse.asl_parser import AmazonStateLanguageParser
from localstack.services.stepfunctions.asl.parse.preprocessor import Preprocessor

parse = AmazonStateLanguageParser.parse
visit_result_writer = Preprocessor.visitResult_writer_decl


def parse_as_aws(definition):
    definition = re.sub(r'("ToleratedFailurePercentage":\s*\d+)(?=\s*[,}])', r"\1.0", definition)
    definition = re.sub(r'("ResultWriter":\s*\{\s*"Resource":\s*"[^"]*",\s*)"Arguments"', r'\1"Parameters"', definition)
    return parse(definition)


def visit_with_json_path(self, ctx):
    self._query_language_per_scope.append(QueryLanguage(QueryLanguageMode.JSONPath))
    try:
        return visit_result_writer(self, ctx)
    finally:
        self._query_language_per_scope.pop()


AmazonStateLanguageParser.parse = staticmethod(parse_as_aws)
Preprocessor.visitResult_writer_decl = visit_with_json_path
