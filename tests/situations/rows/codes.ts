/**
 * An error code from the server is a failure of the server, unless Proofmark's own transport
 * created the code.
 */
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { weatherCase } from '../cases.ts';
import { failed, setUpFailed } from '../expectations.ts';
import {
  cut,
  error,
  html,
  isError,
  raw,
  silence,
  status,
  weather,
} from '../servers/weather-server.ts';
import type { Answer, RunSituation, SeenRun, Theme } from '../situation.ts';

async function toolSpan({ trials, trace }: SeenRun): Promise<Answer> {
  const { spans } = await trace(trials[0]);
  return spans.find(({ category }: Answer) => category === 'tool');
}

const spanSays = (facts: Readonly<Record<string, unknown>>) => async (seen: SeenRun) => {
  const span = await toolSpan(seen);
  const row = seen.trials[0].stageResults.find(({ stage }: Answer) => stage === 'call');
  const problems = Object.entries(facts).flatMap(([name, value]) =>
    span?.[name] === value ? [] : [`The span says ${name} ${span?.[name]}, not ${value}.`],
  );
  const isNamed = row.evidence?.spanIds?.includes(span?.id);
  return isNamed ? problems : [...problems, 'The row does not name the span of the call.'];
};

function row(
  what: string,
  answer: FakeAnswer,
  category: 'serverData' | 'setup',
  facts: Readonly<Record<string, unknown>>,
  saved?: object,
): RunSituation {
  return {
    name: `a call is answered with ${what}`,
    servers: { A: weather({ weather: answer, ...(saved && { saved }) }) },
    cases: [weatherCase()],
    expected: { verdict: 'failed', trials: [failed('call', 'protocolError', category)] },
    also: spanSays(facts),
  };
}

const pinned = {
  title: 'Pinned',
  steps: [
    { id: 'call', kind: 'toolCall', serverName: '@A', toolName: 'weather', arguments: {} },
    { id: 'check', kind: 'assert', assertion: { type: 'noToolErrors' } },
  ],
};
const theirs = (mcpErrorCode: number) => ({ mcpErrorCode, mcpErrorOrigin: 'theirs' });
const ours = { mcpErrorOrigin: 'ours' };

export const codes: Theme = {
  theme: 'codes',
  situations: [
    ...[-32_000, -32_001, -32_099, -32_603, -32_050, -32_600, -32_700, 7].map((code) =>
      row(`the error ${code}`, error(code), 'serverData', theirs(code)),
    ),
    {
      // With this error the server asks the user to open an address. Proofmark does not declare
      // that capability.
      name: 'a call is answered with the error -32042',
      servers: { A: weather({ weather: error(-32_042) }) },
      cases: [weatherCase()],
      expected: { verdict: 'inconclusive', trials: [setUpFailed()] },
    },
    row('the error -32603 and HTTP 500', error(-32_603, 'It broke.', 500), 'serverData', {}),
    row('HTTP 404', status(404), 'serverData', {}),
    row('HTTP 500', status(500), 'serverData', {}),
    row('HTTP 502 and a page', html(502), 'serverData', {}),
    row('HTTP 503 without a time to wait', status(503), 'serverData', {}),
    row('a page of HTML', html(), 'serverData', {}),
    row('JSON that is no message', raw('{"a":1}'), 'serverData', {}),
    row('nothing, for the connection is cut', cut, 'setup', { mcpErrorCode: -32_000, ...ours }),
    row(
      'nothing within the time of the server',
      silence,
      'setup',
      { mcpErrorCode: -32_001, ...ours },
      // The handshake has the same time limit, and half a second is too short on a busy machine.
      { timeout: 5000 },
    ),
    {
      name: 'a pinned call is answered with isError',
      servers: { A: weather({ weather: isError('No such city.') }) },
      cases: [pinned],
      expected: { verdict: 'failed', trials: [failed('response', 'toolError', 'serverData')] },
    },
    {
      name: 'a pinned call is answered with the error -32000',
      servers: { A: weather({ weather: error(-32_000, 'Busy.') }) },
      cases: [pinned],
      expected: { verdict: 'failed', trials: [failed('call', 'protocolError', 'serverData')] },
    },
  ],
};
