/**
 * Measures whether code that processes the lists of a request is linear. Compares the time per item
 * of 20,000 items with that of 2,000: a ratio near 1 is linear, near 10 quadratic.
 */
import {
  type AlikeTrials,
  decideReportedRun,
  identifyCase,
  KnownCases,
  matchTrials,
  type ReportedResult,
  resolveTerms,
} from '@proofmark/domain';
import {
  contentOf,
  prepareTrials,
} from '../packages/server/src/features/evals/operations/ingest/prepare-trials.ts';
import { sha256Hex } from '../packages/server/src/kernel/sha256-hex.ts';
import { ReportBuilder } from '../packages/server/src/outside/reports/report-builder.ts';

const [few, many, rounds] = [2000, 20_000, 9];

type Reported = ReportedResult & { readonly caseTitle: string };

const reported = (count: number): Reported[] =>
  Array.from({ length: count }, (_, index) => ({
    caseTitle: `Weather of city ${index}`,
    externalIterationId: `run-${index}`,
    passed: index % 3 !== 0,
  }));

const walks: Record<string, (count: number) => Promise<() => unknown>> = {
  'results as rows': async (count) => {
    const results = reported(count);
    return () => prepareTrials(results, { whole: { externalRunId: 'run' }, newId: () => 'itr_1' });
  },
  'titles that are new to their suite': async (count) => {
    const wanted = reported(count).map((one) => identifyCase(one, sha256Hex));
    return () => {
      const known = new KnownCases();
      for (const one of wanted) {
        if ('isNew' in known.match(one)) known.add({ ...one, id: one.caseKey });
      }
    };
  },
  'a report that comes again': async (count) => {
    const trials = await prepareTrials(reported(count), { newId: () => 'itr_1' });
    const contents = trials.map(contentOf);
    const kept = contents.map(({ content }) => ({
      content,
      chain: undefined,
      knownCase: undefined,
    }));
    return () => {
      const isReported = matchTrials(contents);
      if (!kept.every((one) => isReported(one))) throw new Error('A trial was not found again.');
    };
  },
  'the decision of a run': async (count) => {
    const trials = reported(count).map(
      ({ caseTitle, passed }): AlikeTrials => ({
        caseKey: caseTitle,
        declaredId: null,
        model: null,
        provider: null,
        count: 1,
        status: 'completed',
        result: passed ? 'passed' : 'failed',
        evaluatorError: false,
      }),
    );
    const terms = resolveTerms({ verdictPolicy: undefined, passCriteria: { minimumPassRate: 50 } });
    return () => decideReportedRun(terms, trials, count, sha256Hex);
  },
  'tests and errors of a report file': async (count) => () => {
    const builder = new ReportBuilder();
    for (let at = 0; at < count; at += 1) {
      if (at % 2 === 0) builder.addTest(`Test ${at}`, 'passed', 1);
      else builder.addError(`file-${at}.ts`, 'It could not be loaded.');
    }
    return builder.finish();
  },
};

for (const [name, walk] of Object.entries(walks)) {
  const small = await microsecondsPerItem(walk, few);
  const large = await microsecondsPerItem(walk, many);
  const figures = `${small.toFixed(2)} µs, ${large.toFixed(2)} µs`.padEnd(22);
  console.log(`${name.padEnd(36)} ${figures} ratio ${(large / small).toFixed(1)}`);
}

async function microsecondsPerItem(
  walk: (count: number) => Promise<() => unknown>,
  count: number,
): Promise<number> {
  const run = await walk(count);
  let best = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    await run();
    best = Math.min(best, performance.now() - startedMs);
  }
  return (best * 1000) / count;
}
