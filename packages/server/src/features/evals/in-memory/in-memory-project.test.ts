import type { Recording } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { launchLimits } from '../../../main/launch-limits.ts';
import { resolveSettings } from '../../../main/settings.ts';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';
import { checkedBody, openReplay, refusalIn } from './index.ts';

const listed = {
  name: 'opening_time',
  description: 'Tells when the shop opens.',
  inputSchema: { type: 'object' },
};

function recordingOf(text: string): Recording {
  return {
    schemaVersion: 1,
    servers: [{ serverName: 'shop', tools: [listed] }],
    exchanges: [
      {
        kind: 'call',
        serverName: 'shop',
        toolName: 'opening_time',
        arguments: {},
        nth: 1,
        result: { content: [{ type: 'text', text }] },
      },
    ],
  } as unknown as Recording;
}

function suiteOf(needle: string, id = 'shop'): string {
  return JSON.stringify({
    schemaVersion: '1',
    suite: { id, name: 'Shop' },
    mode: 'serverContract',
    target: { servers: [{ name: 'shop' }] },
    cases: [
      {
        id: 'opens',
        title: 'Opens',
        steps: [{ kind: 'toolCall', toolName: 'opening_time', arguments: {} }],
        assertions: [{ type: 'toolResultContains', needle }],
      },
    ],
  });
}

async function replayed(needle: string, text = 'At nine.') {
  const { project, stop } = openReplay({ showsWidgets: false });
  try {
    const serverIds = { shop: project.servers.name('shop') };
    const { suiteId } = await project.importSuite({ content: suiteOf(needle), serverIds });
    const trial = { caseId: 'opens', model: null, provider: null, repetition: 1 };
    const kept = project.keepRecorded(
      suiteId,
      [{ ...trial, recording: recordingOf(text) }],
      undefined,
    );
    const terms = { model: 'recorded', servers: 'recorded', onDivergence: 'stop' } as const;
    const { runId } = project.launch({ suiteId, replay: { ...terms, runId: kept.runId } });
    for (;;) {
      const run = project.readRun(runId);
      if (run.completedAt !== null) return { run, trials: project.readTrials(runId, {}, {}).items };
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    await stop();
  }
}

test('a recording is graded by the assertions of now', async () => {
  const passed = await replayed('nine');
  expect(passed.run).toMatchObject({
    status: 'completed',
    verdict: 'passed',
    replay: { trials: 1, diverged: 0, notRecorded: 0 },
  });
  const failed = await replayed('noon');
  expect(failed.run).toMatchObject({ status: 'completed', verdict: 'failed' });
  expect(failed.trials).toMatchObject([{ result: 'failed', firstFailedStage: 'response' }]);
});

test('a mistake in the file is refused as the HTTP API refuses it', async () => {
  const { project, stop } = openReplay({ showsWidgets: false });
  const refusal = await project
    .importSuite({ content: '{"schemaVersion": "1", "cases": 3}' })
    .then(() => undefined, refusalIn);
  expect(refusal).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { reason: 'SUITE_FILE_INVALID' },
  });
  expect(() => checkedBody('importEvalSuite', { content: '' })).toThrow('body.content');
  await stop();
});

test('nothing is limited otherwise than by a service with no settings', () => {
  const { settings } = resolveSettings({}, {}, []);
  const { noWidgets: _, ...limits } = launchLimits({ ...settings, chromium: 'off' });
  const { noWidgets: _none, ...own } = defaultRunLimits;
  expect(own).toEqual(limits);
});

test('a text that YAML ends at a # is warned of at its own place, when the file is imported', async () => {
  const { project, stop } = openReplay({ showsWidgets: false });
  try {
    const content = `schemaVersion: "1"
suite: { id: shop, name: Shop }
target: { servers: [{ name: shop }] }
defaults: { model: proofmark/lexical-1 }
cases:
  - id: opens
    title: Opens
    ask: Does shop #5 open today?
    calls: opening_time
`;
    const serverIds = { shop: project.servers.name('shop') };
    const { warnings } = await project.importSuite({ content, serverIds });
    expect(warnings).toContainEqual({
      path: 'body.content.cases[0].ask',
      code: 'TEXT_CUT_BY_COMMENT',
      message:
        'Line 8, column 10: YAML takes "#5 open today?" for a comment, so the text ends before it; put the text in quotes.',
    });
  } finally {
    await stop();
  }
});
