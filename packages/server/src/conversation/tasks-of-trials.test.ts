import { completed, taskAnswers } from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { ask, sunny, trialPlayer } from '@proofmark/harness/play-trial.ts';
import type { ModelLine } from '@proofmark/harness/stage-row.ts';
import { afterAll, expect, test, vi } from 'vitest';
import type { Span } from './span.ts';

const player = trialPlayer();
afterAll(() => player.close());

const callSlow: ModelLine = { calls: [{ tool: 'slow', input: {} }] };

function taskSpan(trace: Readonly<Record<string, unknown>>): Span | undefined {
  return (trace['spans'] as readonly Span[]).find(({ category }) => category === 'tool');
}

test('a task that still works when the time of the trial is over is cancelled once', async () => {
  const { answers, asked } = taskAnswers({ slow: { looks: [{ status: 'working' }] } });
  const { record } = await player.play({ steps: [ask] }, [callSlow], {
    plan: { limits: { maxModelSteps: 2, trialTimeoutMs: 2_000 } },
    answers,
  });
  expect(record).toMatchObject({ status: 'timed_out', result: null });
  await vi.waitUntil(() => asked.includes('tasks/cancel task-1'), 20_000);
  expect(asked.filter((one) => one.startsWith('tasks/cancel'))).toHaveLength(1);
  expect(taskSpan(record.trace)?.task).toMatchObject({ states: ['working'], cancelled: true });
});

test('the span of a call tells of its task, and of no id', async () => {
  const { answers } = taskAnswers({ quick: { looks: [completed('Done.')] } });
  const callQuick: ModelLine = { calls: [{ tool: 'quick', input: {} }] };
  const { record } = await player.play({ steps: [ask] }, [callQuick, sunny], { answers });
  expect(taskSpan(record.trace)?.task).toEqual({
    states: ['working', 'completed'],
    polls: 1,
    updates: 0,
    cancelled: false,
  });
  expect(JSON.stringify(record)).not.toContain('task-1');
});
