import { stageWords } from '@proofmark/domain';
import { renderSarif, type SarifFinding, type SarifOptions } from './sarif.ts';
import type { DocumentedCase, DocumentedSuite, TestDocument } from './test-document.ts';

export function testSarif(
  { suites }: Pick<TestDocument, 'suites'>,
  options: Omit<SarifOptions, 'notExamined'>,
): string {
  const findings = suites.flatMap((suite) =>
    suite.cases.flatMap((one) => (one.verdict === 'failed' ? [findingOf(suite, one)] : [])),
  );
  const open = suites.filter(({ verdict }) => verdict === 'inconclusive');
  const notExamined = open.map(({ file, headline }) => `${file}: ${headline}`);
  return renderSarif(findings, { ...options, notExamined });
}

function findingOf({ file }: DocumentedSuite, one: DocumentedCase): SarifFinding {
  const { id, title = id, line, stage, model } = one;
  const at = stage === undefined ? 'at no known stage' : `at ${stageWords[stage]}`;
  const on = model === undefined ? '' : ` on ${model}`;
  return {
    rule: {
      id: `case-failed/${stage ?? 'unknown'}`,
      text: `A case of a suite failed ${at}.`,
    },
    level: 'error',
    message: [`"${title}"${on} failed ${at}.`, ...explanation(one)],
    // `-` means that the suite was read from standard input, so no file contains it.
    ...(file !== '-' && { file, line }),
    identity: [id, ...(model === undefined ? [] : [model])],
  };
}

function explanation(one: DocumentedCase): string[] {
  const { why, checks = [], expected, observed, advice, nextAction, trials, flaky } = one;
  const mixed = `${trials.passed} of ${trials.graded} trials passed.`;
  return [
    ...(flaky ? [mixed] : []),
    ...(why === undefined ? [] : [why]),
    ...checks,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(observed === undefined ? [] : [`Observed: ${observed}`]),
    ...(advice === undefined ? [] : [`Advice: ${advice}`]),
    ...(nextAction === undefined ? [] : [`Next: ${nextAction}`]),
  ];
}
