import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import { evidenceFromReport, type ReportedTrial } from './evidence-from-report.ts';

function chainOf(trial: Partial<ReportedTrial>) {
  return deriveChain(evidenceFromReport({ status: 'completed', ...trial }));
}
function rows(trial: Partial<ReportedTrial>) {
  const { stageResults } = chainOf(trial);
  return Object.fromEntries(stageResults.map((row) => [row.stage, `${row.state}/${row.reason}`]));
}

describe('an error that a reported row states', () => {
  const stated = (more: object = {}, scope?: object) => ({
    predicates: [
      { predicate: { type: 'toolCallFails', toolName: 'a', ...more }, passed: true, scope },
    ],
  });
  const part = (text: string, toolCallId = 'one') => ({
    type: 'tool-result',
    toolName: 'a',
    toolCallId,
    output: { type: 'json', value: { isError: true, content: [{ type: 'text', text }] } },
  });
  const messages = (...parts: object[]) => [{ role: 'tool', content: parts }];
  const span = (more: object = {}) => ({
    id: 's',
    category: 'tool',
    toolName: 'a',
    status: 'error',
    toolCallId: 'one',
    ...more,
  });
  const city = { messageContains: 'city' };
  const responseOf = (metadata: object, trace: object) => rows({ metadata, trace })['response'];

  test.each<[string, object, object, string]>([
    ['by a result', stated(), { messages: messages(part('no city')) }, 'passed/observed'],
    ['by its text', stated(city), { messages: messages(part('No CITY')) }, 'passed/observed'],
    ['not with another text', stated(city), { messages: messages(part('x')) }, 'failed/toolError'],
    ['by a span', stated(), { spans: [span()] }, 'passed/observed'],
    [
      'by a result and its span',
      stated(city),
      { messages: messages(part('no city')), spans: [span()] },
      'passed/observed',
    ],
    [
      'not beside another error',
      stated(city),
      { messages: messages(part('no city'), part('boom', 'two')), spans: [span()] },
      'failed/toolError',
    ],
    [
      'by the server of its span',
      stated({ serverName: 'S' }),
      { messages: messages(part('x')), spans: [span({ serverName: 'S' })] },
      'passed/observed',
    ],
    [
      'not of another server',
      stated({ serverName: 'S' }),
      { messages: messages(part('x')), spans: [span({ serverName: 'T' })] },
      'failed/toolError',
    ],
    [
      'not in another turn',
      stated({}, { promptIndex: 1 }),
      { spans: [span({ promptIndex: 0 })] },
      'failed/toolError',
    ],
    [
      'not by a row that advises',
      stated({ role: 'advisory' }),
      { spans: [span()] },
      'failed/toolError',
    ],
    [
      'not where the result breaks its own schema',
      stated(),
      { spans: [span({ resultProblem: 'It has no name.' })] },
      'failed/toolError',
    ],
    [
      'as nobody knows where what it said is missing',
      stated(city),
      { spans: [span()] },
      'notMeasured/evaluatorError',
    ],
  ])('is known %s', (_title, metadata, trace, expected) => {
    expect(responseOf(metadata, trace)).toBe(expected);
  });

  test('is none where the transport lost the call', () => {
    const lost = { spans: [span({ mcpErrorCode: -32001, mcpErrorOrigin: 'ours' })] };
    const chain = chainOf({ metadata: stated(), trace: lost });
    expect(chain).toMatchObject({ firstFailedStage: 'call', failureCategory: 'setup' });
    const answered = { spans: [span({ mcpErrorCode: -32050, mcpErrorOrigin: 'theirs' })] };
    expect(rows({ metadata: stated(), trace: answered })).toMatchObject({
      call: 'notApplicable/notAuthored',
      response: 'passed/observed',
    });
  });
});
