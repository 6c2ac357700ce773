/**
 * Policies of suites and clients. A rejected call must be shown as rejected, and never count as a
 * failure of the server.
 */
import { called, calls, promptCase, sunny, weatherCase } from '../cases.ts';
import { blocked, passed } from '../expectations.ts';
import { asked, weather } from '../servers/weather-server.ts';
import type { Answer, RunSituation, Theme } from '../situation.ts';

function policy(what: string, toolPolicy: object, trial: ReturnType<typeof passed>): RunSituation {
  return {
    name: what,
    settings: { toolPolicy },
    cases: [weatherCase()],
    expected: { verdict: trial.result === 'passed' ? 'passed' : 'inconclusive', trials: [trial] },
    also: ({ servers }) => {
      const made = asked(servers['A']?.requests);
      const wanted = trial.result === 'passed' ? 1 : 0;
      return made === wanted ? [] : [`${made} calls were made.`];
    },
  };
}
const byPolicy = blocked({ says: [/polic/i] });

const held = { name: 'create_ticket', inputSchema: { type: 'object' } };
const heldCase = promptCase(
  'Report the broken lamp.',
  [called(held.name)],
  [calls([held.name, {}]), sunny],
);

function writes(
  what: string,
  allowWrites: readonly string[],
  trial: ReturnType<typeof passed>,
  steps?: readonly object[],
): RunSituation {
  const isCalled = trial.result === 'passed';
  return {
    name: what,
    servers: { A: weather({ tools: [held] }) },
    settings: { allowWrites },
    cases: [steps === undefined ? heldCase : { title: 'Pinned', steps }],
    expected: { verdict: isCalled ? 'passed' : 'inconclusive', trials: [trial] },
    also: ({ servers, run }) => {
      const refused = run.refusedCalls?.map((one: Answer) => [one.toolName, one.by]) ?? [];
      const wanted = isCalled ? [] : [[held.name, 'allowWrites']];
      return [
        ...(asked(servers['A']?.requests) === (isCalled ? 1 : 0) ? [] : ['The calls are others.']),
        ...(JSON.stringify(refused) === JSON.stringify(wanted) ? [] : [`Refused: ${refused}.`]),
      ];
    },
  };
}
const notNamed = { says: [/held for writing .*allowWrites/], next: [/allowWrites/] };

export const policies: Theme = {
  theme: 'policies',
  situations: [
    policy('only tools that only read, and another is called', { mode: 'readOnly' }, byPolicy),
    {
      name: 'only tools that only read, and one of them is called',
      settings: { toolPolicy: { mode: 'readOnly' } },
      cases: [promptCase('What time is it?', [called('clock')], [calls(['clock', {}]), sunny])],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    policy(
      'a tool that is allowed beside those that only read',
      { mode: 'readOnly', allow: ['weather'] },
      passed(),
    ),
    policy('a denied tool is called', { mode: 'default', deny: ['weather'] }, byPolicy),
    policy('another tool is denied', { mode: 'default', deny: ['clock'] }, passed()),
    writes('a tool held for writing that nobody named', [], blocked(notNamed)),
    writes('a tool held for writing that is named', [held.name], passed()),
    writes(
      'a tool held for writing in a pinned call that nobody named',
      [],
      blocked({ ...notNamed, rows: { connection: 'observed', discovery: 'observed' } }),
      [
        { id: 'call', kind: 'toolCall', serverName: '@A', toolName: held.name, arguments: {} },
        { id: 'check', kind: 'assert', assertion: { type: 'noToolErrors' } },
      ],
    ),
    {
      name: 'a client that wants approval before every call',
      client: { requireToolApproval: true },
      cases: [weatherCase()],
      expected: { verdict: 'inconclusive', trials: [blocked({ says: [/approval/i] })] },
    },
    {
      name: 'a denied tool in a pinned call',
      settings: { toolPolicy: { mode: 'default', deny: ['weather'] } },
      cases: [
        {
          title: 'Pinned',
          steps: [
            { id: 'call', kind: 'toolCall', serverName: '@A', toolName: 'weather', arguments: {} },
            { id: 'check', kind: 'assert', assertion: { type: 'noToolErrors' } },
          ],
        },
      ],
      expected: {
        verdict: 'inconclusive',
        trials: [
          blocked({ rows: { connection: 'observed', discovery: 'observed' }, says: [/polic/i] }),
        ],
      },
    },
  ],
};
