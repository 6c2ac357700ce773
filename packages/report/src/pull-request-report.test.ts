import type { ServerDifference } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { type CiResults, pullRequestReport } from './pull-request-report.ts';

const passed: CiResults = {
  verdict: 'passed',
  headline: 'PASSED: 2 of 2 cases · proofmark/lexical-1 · 0.3 s · 120 tokens · free',
  cases: [
    { file: 'shop.suite.yaml', name: 'finds an order', line: 4, outcome: 'passed' },
    { file: 'shop.suite.yaml', name: 'opens', line: 9, outcome: 'passed' },
  ],
};
const red: CiResults['cases'] = [
  {
    file: 'shop.suite.yaml',
    name: 'finds an order',
    line: 4,
    outcome: 'failed',
    stage: 'selection',
    why: 'get_order was not called.',
    nextAction: 'Describe get_order by what it returns.',
  },
  { file: 'shop.suite.yaml', name: 'opens', outcome: 'inconclusive' },
];
const differences: readonly ServerDifference[] = [
  {
    change: 'changed',
    serverId: 'shop',
    serverName: 'shop',
    tools: [
      { change: 'added', name: 'cancel_order', parts: [] },
      {
        change: 'changed',
        name: 'get_order',
        parts: [
          { part: 'description', before: 'Gets.', after: 'Reads.' },
          {
            part: 'inputSchema',
            before: { type: 'object', properties: { id: { type: 'string' } } },
            after: { type: 'object', properties: { id: { type: 'integer' } } },
          },
        ],
      },
    ],
  },
];

test('a green pull request is a mark, a headline and one sentence for each comparison', () => {
  expect(pullRequestReport({ ...passed, findings: [], differences: [] })).toBe(
    `<!-- proofmark -->

### PASSED: 2 of 2 cases · proofmark/lexical-1 · 0.3 s · 120 tokens · free

The tools are those of the base.

Lint found no errors and no warnings.
`,
  );
});

test('the tools of pins are not taken for those of a server', () => {
  const tokens = [{ serverName: 'shop', tokens: 1500 }];
  const same = pullRequestReport({ ...passed, differences: [], tokens, isPinned: true });
  expect(same).toContain('The pinned tools are those of the base. No server was started');
  expect(same).toContain('#### Tokens of the pinned tool lists');
  const changed = pullRequestReport({ ...passed, differences, isPinned: true });
  expect(changed).toContain('#### Pinned tools: 1 added, 1 changed');
});

test('red cases name stage, place, reason and next action; others have no verdict', () => {
  const text = pullRequestReport({ ...passed, verdict: 'failed', cases: red });
  expect(text).toContain(`#### 2 red cases

- \`finds an order\` broke at selection (\`shop.suite.yaml:4\`)
  - \`get_order was not called.\`
  - \`Describe get_order by what it returns.\`
- \`opens\` has no verdict (\`shop.suite.yaml\`)`);
});

test('quarantined cases are listed apart from red ones', () => {
  const [first] = red;
  const cases = [{ ...(first as (typeof red)[0]), isQuarantined: true, isFlaky: true }];
  const text = pullRequestReport({ ...passed, cases });
  expect(text).not.toContain('red case');
  expect(text).toMatch(/#### Flaky cases\n\n.*finds an order[\s\S]*#### Quarantined cases/);
});

test('changes that break callers come before other changes of tools', () => {
  const text = pullRequestReport({ ...passed, differences });
  expect(text).toContain('#### Tools: 1 added, 1 changed');
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  expect(lines.map((line) => line.includes('input schema'))).toEqual([true, false, false]);
});

test('tokens of servers stand beside those of the base, with their sum', () => {
  const text = pullRequestReport({
    ...passed,
    tokens: [
      { serverName: 'shop', tokens: 1500 },
      { serverName: 'a|b', tokens: 500 },
    ],
    tokensBefore: [{ serverName: 'shop', tokens: 1600 }],
  });
  expect(text).toContain('| `shop` | 1,600 | 1,500 | -100 | 0.8 % |');
  expect(text).toContain('| `a/b` |  | 500 |  | 0.3 % |');
  expect(text).toContain('| all | 1,600 | 2,000 | +400 | 1.0 % |');
});

test('tokens of a base that is known in part are not summed', () => {
  const text = pullRequestReport({
    ...passed,
    tokens: [
      { serverName: 'shop', tokens: 1500 },
      { serverName: 'desk', tokens: 500 },
    ],
    tokensBefore: [{ serverName: 'shop', tokens: 1600 }],
    knowsPartOfBase: true,
  });
  expect(text).toContain('| all |  | 2,000 |  | 1.0 % |');
});

test('errors of lint come before warnings, and hints are left out', () => {
  const finding = { serverName: 'shop', toolName: 'get_order', message: 'Said.' };
  const findings = [
    { ...finding, rule: 'names-alike', severity: 'warn' },
    { ...finding, rule: 'annotations-missing', severity: 'info' },
    { ...finding, rule: 'description-missing', severity: 'error' },
  ] as const;
  const text = pullRequestReport({ ...passed, findings });
  expect(text).toMatch(
    /#### Lint: 1 error, 1 warning\n\n- error: .*\(`description-missing`\)\n- warn: .*\n$/,
  );
});

test.each([
  '@owner look',
  '![x](https://evil.example/p.png)',
  '<img src=x>',
  'a\n# b',
  '<!-- proofmark -->',
])('foreign text %j becomes neither markup nor a mention', (foreign) => {
  const cases = red.map((one) => ({ ...one, name: foreign, why: foreign, file: foreign }));
  const findings = [
    { rule: 'r', severity: 'error', serverName: foreign, message: foreign },
  ] as const;
  const text = pullRequestReport({ ...passed, headline: `FAILED: ${foreign}`, cases, findings });
  const outside = text.replaceAll(/`[^`\n]*`/g, '').split('\n');
  expect(outside[0]).toBe('<!-- proofmark -->');
  expect(outside.slice(1).join('\n')).not.toMatch(/@owner|!\[|<|^# /m);
});

test('a long report is cut between two lines and says where the rest is', () => {
  const tokens = Array.from({ length: 2000 }, (_, at) => ({
    serverName: `shop ${at}`,
    tokens: at,
  }));
  const text = pullRequestReport({ ...passed, tokens });
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('The rest is in the reports of the job.');
});
