import { unique } from '@proofmark/harness/reporter.ts';
import { ask, expectWeather } from '../cases.ts';
import { readRun } from '../play-run.ts';
import { report } from '../report.ts';
import { weather } from '../servers/weather-server.ts';
import type { Answer, AskSituation, Ids, SituationFixture } from '../situation.ts';

async function ownScores(fixture: SituationFixture, ids: Ids): Promise<Answer> {
  const { runId } = await fixture.get(202, 'POST', 'eval-runs', {
    suiteName: unique('Scored'),
    serverIds: [ids.servers['A']],
    tests: [{ title: 'Weather', steps: [ask, expectWeather], model: 'proofmark/lexical-1' }],
  });
  const { trials } = await readRun(fixture, runId);
  const { scores, evaluationConfig } = trials[0];
  if (!(scores?.length > 0)) throw new Error('The trial has no scores.');
  return { scores, evaluationConfig };
}

function scored(
  what: string,
  change: (metadata: Answer) => Answer,
  expected: AskSituation['expected'],
): AskSituation {
  return {
    name: what,
    servers: { A: weather() },
    expected: { status: 200, ...expected },
    ask: async (fixture, ids) => {
      const metadata = change(await ownScores(fixture, ids));
      const results = [{ caseTitle: 'Weather', passed: true, metadata }];
      const { seen, ...facts } = await report(fixture, { verdictPolicy: {}, results });
      const integrity = seen?.run.scoreIntegrity;
      const trials = facts.trials?.map((one) =>
        one.startsWith('completed/passed') ? 'completed/passed' : one,
      );
      return { ...facts, trials, integrity };
    },
  };
}

const [skipped, noValue] = [{ status: 'skipped' }, { value: undefined, passed: undefined }];
const broken = { verdict: 'inconclusive', trials: ['completed/- evaluator'] };

export const reportedScores: readonly AskSituation[] = [
  scored('scores that hold', (metadata) => metadata, {
    verdict: 'passed',
    trials: ['completed/passed'],
    integrity: 'valid',
  }),
  scored(
    'a gating scorer that was skipped is no pass',
    ({ scores, evaluationConfig }) => ({
      scores: scores.map((one: object, index: number) =>
        index === 0 ? { ...one, ...skipped, ...noValue } : one,
      ),
      evaluationConfig,
    }),
    broken,
  ),
  scored(
    'a gating scorer without a row is no pass',
    ({ scores, evaluationConfig }) => ({ scores: scores.slice(1), evaluationConfig }),
    broken,
  ),
  scored(
    'a row of a foreign definition makes the set invalid',
    ({ scores, evaluationConfig }) => ({
      scores: scores.map((one: object) => ({ ...one, definitionHash: 'f'.repeat(64) })),
      evaluationConfig,
    }),
    { integrity: 'invalid' },
  ),
  scored(
    'a configuration of a foreign hash makes the set invalid',
    ({ scores, evaluationConfig }) => ({
      scores,
      evaluationConfig: { ...evaluationConfig, hash: 'f'.repeat(64) },
    }),
    { integrity: 'invalid' },
  ),
];
