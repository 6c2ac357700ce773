import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { chainOf, chainStoppedAt, decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { type RenderOptions, renderSummary } from './render-summary.ts';
import { reportCases } from './report-cases.ts';
import { renderJunit } from './write-junit.ts';

const hostile = '<script>alert("1")</script> & \u202e]]> \u0007';
const selection = chainStoppedAt('selection', 'missingToolCall', 'selection');
const failing = trial(1, {
  caseId: 'case_1',
  title: 'Find an order by e-mail',
  ...selection,
  expectedToolCalls: [{ toolName: 'search_orders' }],
  actualToolCalls: [{ toolName: 'search_customers' }],
});
const unreached = trial(4, {
  caseId: 'case_3',
  title: hostile,
  status: 'setup_failed',
  result: undefined,
  error: `could not connect ${hostile}`,
  ...chainOf([['notMeasured', 'setupAborted']], { failureCategory: 'setup' }),
});
const caseTitles = {
  case_1: 'Find an order by e-mail',
  case_2: 'Track an order',
  case_3: hostile,
};
const waiver = { until: '2026-11-18', by: 'ops@example.com', reason: `rebuild ${hostile}` };
const known = {
  caseTitles,
  assertsNothing: 0,
  console: { baseUrl: 'https://proofmark.example', projectId: 'prj_1' },
  picked: { isAll: true },
} satisfies Omit<RenderOptions, 'format'>;
const ofRun = {
  suiteName: 'Order desk',
  runNumber: 3,
  startedAt: 1_763_337_600_000,
  endedAt: 1_763_337_612_345,
};

const failed = decidedSummary(['fff', 'ppp'], [failing]);
const inconclusive = decidedSummary(['fff', 'ppp', 'ss'], [failing, unreached]);
const passed = decidedSummary(['pp', 'pp', 'pp']);
const running = summaryOf({ status: 'running', verdictPolicyVersion: 2 });
const summaries = { failed, inconclusive, passed, running };

describe.each(Object.entries(summaries))('a run that is %s', (name, summary) => {
  const options = name === 'failed' ? { ...known, waiver } : known;
  const lists = { listsPassed: true, width: 80 };

  it('is written as it always was', async () => {
    const text = renderSummary(summary, { ...options, ...lists, format: 'text' });
    await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
    const markdown = renderSummary(summary, { ...options, ...lists, format: 'markdown' });
    await expect(markdown).toMatchFileSnapshot(`golden/${name}.md.txt`);
    const html = renderSummary(summary, { ...options, format: 'html' });
    await expect(html).toMatchFileSnapshot(`golden/${name}.html`);
    const junit = renderJunit(summary, { ...options, ...ofRun });
    await expect(junit).toMatchFileSnapshot(`golden/${name}.junit.xml`);
    const tooLong = text.split('\n').filter((line) => [...line].length > 80);
    expect(tooLong.filter((line) => !line.includes('/projects/'))).toEqual([]);
  });
});

/**
 * The attributes and children of each element, from the schema of Jenkins' xUnit plugin
 * (junit-10.xsd).
 */
const junitRules: Readonly<Record<string, { attributes: string; needed: string; holds: string }>> =
  {
    testsuites: {
      attributes: 'name time tests failures disabled errors',
      needed: '',
      holds: 'testsuite',
    },
    testsuite: {
      attributes: 'name tests failures errors time skipped timestamp hostname id package',
      needed: 'name tests',
      holds: 'properties testcase system-out system-err testsuite',
    },
    properties: { attributes: '', needed: '', holds: 'property' },
    property: { attributes: 'name value', needed: 'name value', holds: '' },
    testcase: {
      attributes: 'name classname time status assertions',
      needed: 'name classname time',
      holds: 'skipped error failure system-out system-err',
    },
    failure: { attributes: 'message type', needed: '', holds: '' },
    error: { attributes: 'message type', needed: '', holds: '' },
    skipped: { attributes: 'message', needed: '', holds: '' },
    'system-out': { attributes: '', needed: '', holds: '' },
  };

function junitProblems(report: string): string[] {
  const open: string[] = [];
  return [...report.matchAll(/<(\/?)([\w-]+)((?: [\w-]+="[^"]*")*)(\/?)>/g)].flatMap(
    ([, closes, name = '', given = '', isEmpty]) => {
      if (closes) return open.pop() === name ? [] : [`${name} closes another`];
      const rules = junitRules[name];
      const inside = open.at(-1);
      if (!isEmpty) open.push(name);
      if (rules === undefined) return [`there is no ${name}`];
      const names = [...given.matchAll(/ ([\w-]+)="/g)].map((match) => match[1] as string);
      const holder = inside === undefined ? undefined : junitRules[inside];
      return [
        ...(holder === undefined || holder.holds.split(' ').includes(name)
          ? []
          : [`${inside} holds ${name}`]),
        ...names
          .filter((one) => !rules.attributes.split(' ').includes(one))
          .map((one) => `${name} has ${one}`),
        ...rules.needed
          .split(' ')
          .filter((one) => one && !names.includes(one))
          .map((one) => `${name} lacks ${one}`),
        ...names.filter((one) => one === 'time' && !/ time="\d+\.\d{3}"/.test(given)),
      ];
    },
  );
}

describe('JUnit', () => {
  it.each(Object.entries({ ...summaries, skipped: decidedSummary(['pp', 'ss']) }))(
    'keeps the rules of the schema that Jenkins holds reports against: %s',
    (_, summary) => {
      expect(junitProblems(renderJunit(summary, { ...known, ...ofRun }))).toEqual([]);
    },
  );

  it('adds up what the trials of a case took, those that passed too', () => {
    const summary = decidedSummary(['pp', 'p']);
    if (summary.verdictSource !== 'policyV2') throw new Error('It is decided.');
    const [first, second] = summary.decision.cases.map(({ caseId }) => caseId);
    const trial = (caseId: string | undefined, durationMs: number | null) => ({
      caseId,
      title: null,
      durationMs,
    });
    const timed = [trial(first, 1200), trial(first, 300), trial(second, null), trial('gone', 9)];
    const junit = renderJunit(summary, { ...known, passed: timed });
    expect(junit.match(/<testcase [^>]*time="[^"]*"/g)?.map((one) => one.slice(-12))).toEqual([
      'time="1.500"',
      'time="0.000"',
    ]);
  });

  it('says how long the trials took that it tells of', () => {
    const took = { durationMs: 1234, expectedToolCalls: [], actualToolCalls: [] };
    const calls = new Map([[failing.iterationId, took]]);
    expect(renderJunit(failed, { ...known, calls })).toContain(
      'classname="proofmark" time="1.234"',
    );
  });

  const tagsOf = (summary: Parameters<typeof renderJunit>[0]) => {
    const tags = renderJunit(summary, known).match(/<(failure|error|skipped)\b/g) ?? [];
    return tags.map((tag) => tag.slice(1));
  };

  it('tells what failed from what was not measured and what was skipped', () => {
    expect(tagsOf(failed)).toEqual(['failure']);
    expect(tagsOf(inconclusive)).toEqual(['failure', 'error', 'error']);
    expect(tagsOf(decidedSummary(['pp', 'ee']))).toEqual(['error', 'error']);
  });

  it('is green for a run that passed and for no other', () => {
    expect(tagsOf(passed)).toEqual([]);
    // One trial failed, but the case met its threshold.
    expect(tagsOf(decidedSummary(['ppppf'], [failing]))).toEqual([]);
    expect(tagsOf(running)).toEqual(['error']);
    expect(tagsOf(summaryOf({ status: 'completed', result: 'passed' }))).toEqual([]);
    expect(tagsOf(summaryOf({ status: 'completed', result: 'failed' }))).toEqual(['failure']);
    expect(tagsOf({ ...passed, runStatus: 'cancelled' })).toEqual(['error']);
  });

  it('names the stage and the next action', () => {
    const junit = renderJunit(failed, known);
    expect(junit).toContain('stopped at selection" type="selection">');
    expect(junit).toContain('  Next: Compare the tools the case expects');
  });
});

describe('a trial is put under its case', () => {
  const titled = { caseTitles: { case_1: 'Same', case_2: 'Same', case_3: 'Other' } };
  const placed = (fields: object, calls = {}) =>
    reportCases(decidedSummary(['f', 'f', 'f'], [trial(1, fields)]), { ...titled, ...calls }).map(
      ({ trials }) => trials.length,
    );
  it('by its id, else by a title that only one has', () => {
    expect(placed({ caseId: 'case_2', title: 'Other' })).toEqual([0, 1, 0]);
    expect(placed({ title: 'Other' })).toEqual([0, 0, 1]);
    expect(placed({ title: 'Same' })).toEqual([0, 0, 0]);
    expect(placed({ title: 'toString' })).toEqual([0, 0, 0]);
  });
  it('and only where it ran on the same model', () => {
    const summary = decidedSummary(['f'], [trial(1, { caseId: 'case_1' })], {}, 'small');
    const on = (model: string) =>
      new Map([
        ['itr_1', { model, provider: 'local', expectedToolCalls: [], actualToolCalls: [] }],
      ]);
    expect(reportCases(summary, { calls: on('small') })[0]?.trials).toHaveLength(1);
    expect(reportCases(summary, { calls: on('large') })[0]?.trials).toHaveLength(0);
  });
});

test('text of others opens no element, ends no attribute and breaks no line', () => {
  const written = (text: string) => {
    const one = trial(1, { caseId: 'case_1', title: text, error: text, ...selection });
    const summary = decidedSummary(['f'], [one]);
    const options = { ...known, caseTitles: { case_1: text }, waiver: { ...waiver, reason: text } };
    return [
      renderSummary(summary, { ...options, format: 'html' }),
      renderJunit(summary, { ...options, ...ofRun, suiteName: text }),
    ];
  };
  const shapeOf = (text: string) => text.replaceAll(/[^<>"'\n]/g, '');
  const harmless = written('x').map(shapeOf);
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', ']]>', '\n', '\0', '\ufffe', '-->'),
    }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const files = written(`x${text}`);
      expect(files.map(shapeOf)).toEqual(harmless);
      // XML forbids these characters even if they are escaped.
      expect(files[1]).not.toMatch(/(?!\n)[\p{Cc}\ufffe\uffff]/u);
      expect(files[1]?.isWellFormed()).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('an HTML report needs nothing but itself', () => {
  const html = renderSummary(failed, { ...known, format: 'html' });
  expect(html).not.toMatch(/<(script|link|img|iframe)\b|\bsrc=|@import|url\(/);
  const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses.every((address) => address?.startsWith('https://proofmark.example/'))).toBe(
    true,
  );
  expect(addresses.length).toBeGreaterThan(0);
});
