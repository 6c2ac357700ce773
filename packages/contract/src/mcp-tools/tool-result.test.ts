import { refusalCodes } from '@proofmark/domain';
import { describe, expect, test } from 'vitest';
import { cutToFit } from './cut-to-fit.ts';
import { mcpTools, type ToolRow } from './mcp-tool.ts';
import { mostResultCharacters, nextActionAfter, toolErrorOf, toolResultOf } from './tool-result.ts';
import type { ToolRowId } from './tool-rows.ts';

const rowOf = (name: ToolRowId) => mcpTools().get(name) as ToolRow;
const request = { params: { projectId: 'p', runId: 'r', iterationId: 'i' }, query: {} };

describe('an answer', () => {
  test('that is short is answered whole, as text and as what it is', () => {
    const answer = { id: 'acc_1', name: 'Ada' };
    expect(toolResultOf(rowOf('getMe'), request, answer)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(answer) }],
      structuredContent: answer,
    });
  });

  test('that is long is cut, and tells what was cut and where the rest is', () => {
    const messages = Array.from({ length: 900 }, (_, at) => ({ at, text: 'x'.repeat(300) }));
    const result = toolResultOf(rowOf('getEvalIterationTrace'), request, { messages });
    const [text, note] = result.content.map((one) => one.text);
    expect(text?.length).toBeLessThanOrEqual(mostResultCharacters);
    expect(JSON.parse(text ?? '')).toEqual(result.structuredContent);
    expect(note).toMatch(/^The answer was shortened: messages \(\d+ of 900\)/);
    expect(note).toContain('Call getEvalRunSteps');
    expect(note).toContain('GET /api/v1/projects/p/eval-runs/r/iterations/i/trace');
  });

  test('of a page keeps its rows and its cursor, and loses the ends of long texts', () => {
    const items = Array.from({ length: 50 }, (_, at) => ({
      id: `id-${at}`,
      text: 'é'.repeat(9000),
    }));
    const answer = { items, nextCursor: 'c'.repeat(600) };
    const { structuredContent } = toolResultOf(rowOf('listProjectServers'), request, answer);
    const shown = structuredContent as { items: { id: string }[]; nextCursor: string };
    expect(shown.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    expect(shown.nextCursor).toBe(answer.nextCursor);
  });

  const wideRow = (id: number, fields: number) => ({
    id,
    ...Object.fromEntries(
      Array.from({ length: fields }, (_, at) => [`field-${at}`, 'x'.repeat(80)]),
    ),
  });

  test.each([...mcpTools().values()].filter(({ row }) => row.page !== undefined))(
    'of a page of rows that are too long together keeps the first and tells how to walk on: $row.operationId',
    (toolRow) => {
      const items = Array.from({ length: 40 }, (_, at) => wideRow(at, 60));
      const result = toolResultOf(toolRow, request, { items, nextCursor: 'behind all', total: 40 });
      expect(result.isError).toBeUndefined();
      const shown = result.structuredContent as { items: object[] };
      const kept = shown.items.length;
      expect(kept).toBeGreaterThan(3);
      expect(shown).toEqual({ items: items.slice(0, kept), total: 40 });
      const [text, note] = result.content.map((one) => one.text);
      expect(text?.length).toBeLessThanOrEqual(mostResultCharacters);
      expect(note).toContain(
        `The answer was shortened: items (${kept} of 40; call again with limit ${kept} to get these items and the nextCursor after them).`,
      );
    },
  );

  test('of which not even one row is short enough is an error that says how to ask for less', () => {
    const result = toolResultOf(rowOf('listSessions'), request, { items: [wideRow(0, 900)] });
    expect(result.isError).toBe(true);
    const parsed = JSON.parse(result.content[0]?.text ?? '');
    expect(parsed).toMatchObject({ code: 'RESULT_TOO_LONG' });
    expect(parsed.message).toContain('smaller limit');
  });

  test('is never cut inside a character that is written as two', () => {
    const fitted = cutToFit({ text: `${'x'.repeat(98)}😀${'y'.repeat(9000)}` }, 150, false);
    expect(fitted?.value).toEqual({ text: `${'x'.repeat(98)}…` });
  });
});

describe('an error', () => {
  test.each(refusalCodes)('%s has a next action', (code) => {
    expect(nextActionAfter(code)).toMatch(/^[A-Z].*\.$/);
  });

  test('tells code, words, details and what to do, and nothing a schema is held against', () => {
    const details = { retryAfterSeconds: 7 };
    const result = toolErrorOf({ code: 'RATE_LIMITED', message: 'Too many requests.', details });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({
      code: 'RATE_LIMITED',
      message: 'Too many requests.',
      details,
      nextAction: 'Wait 7 seconds, then call again.',
    });
  });

  test('with a key of a narrow scope says so', () => {
    expect(nextActionAfter('FORBIDDEN', { reason: 'KEY_SCOPE' })).toContain('wider scope');
  });

  test('with endless details stays short', () => {
    const details = { issues: Array.from({ length: 5000 }, () => 'x'.repeat(500)) };
    const [text] = toolErrorOf({ code: 'CONFLICT', message: 'No.', details }).content;
    expect(text?.text.length).toBeLessThan(5000);
  });
});
