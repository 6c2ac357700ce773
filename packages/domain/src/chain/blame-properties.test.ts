import { always } from '@proofmark/harness/any-evidence.ts';
import { describe, expect, test } from 'vitest';
import { deriveChain } from './derive-chain.ts';
import type { TrialEvidence } from './trial-evidence.ts';

describe('whose fault it was', () => {
  test("arguments that break the schema are never the server's, whatever the case asks for", () => {
    always((evidence) => {
      const { spans: _, turns: __, providerError: ___, evaluatorError: ____, ...rest } = evidence;
      const excused = {
        ...rest,
        blockedByPolicy: false,
        status: 'completed' as const,
        connect: { ok: true } as const,
        toolsList: { ok: true } as const,
        turns: [],
        assertions: [],
        spans: [{ id: 'a', category: 'tool', status: 'error' } as const],
        toolErrors: [{ kind: 'content-error', spanId: 'a', argumentProblem: 'no city' }] as const,
      };
      const { failureCategory, firstFailedStage, stageResults } = deriveChain(excused);
      expect([firstFailedStage, failureCategory]).toEqual(['call', 'arguments']);
      expect(stageResults[3]?.evidence?.predicateReasons).toEqual(['no city']);
    });
  });

  test('a call is of set-up only where our own transport lost it', () => {
    always((evidence) => {
      const { failureCategory, firstFailedStage } = deriveChain(evidence);
      if (firstFailedStage !== 'call' || failureCategory !== 'setup') return;
      const isOurs = ({ mcpErrorCode, mcpErrorOrigin }: TrialEvidence['spans'][number]) =>
        mcpErrorCode !== undefined &&
        (mcpErrorOrigin === undefined
          ? [-32000, -32001].includes(mcpErrorCode)
          : mcpErrorOrigin === 'ours');
      expect(evidence.spans.some(isOurs)).toBe(true);
    });
  });

  test('a provider that failed explains every row that is not measured, but for a broken grader', () => {
    always((evidence) => {
      const measured = { ...evidence, status: 'completed' as const, blockedByPolicy: false };
      for (const { state, reason } of deriveChain({ ...measured, providerError: true })
        .stageResults) {
        if (state === 'notMeasured') expect(['providerError', 'evaluatorError']).toContain(reason);
      }
    });
  });

  test('a provider that failed leaves no stage passed by silence', () => {
    always((evidence) => {
      const silent = {
        ...evidence,
        providerError: true,
        spans: [],
        turns: evidence.turns.map((turn) => ({ ...turn, calledCount: 0 })),
      };
      const { stageResults } = deriveChain(silent);
      expect(stageResults[2]?.state).not.toBe('passed');
      expect(stageResults[3]?.state).not.toBe('passed');
      if (evidence.renders.length === 0) expect(stageResults[4]?.state).not.toBe('passed');
    });
  });

  test('what servers list is theirs, whatever came of the model', () => {
    always((evidence) => {
      const { blockedByPolicy: _, ...rest } = evidence;
      const { firstFailedStage, failureCategory } = deriveChain({
        ...rest,
        status: 'completed',
        connect: { ok: true },
        toolsList: { ok: true },
        assertions: [{ type: 'toolNamesUnique', passed: false, reason: 'Two are called find.' }],
      });
      expect([firstFailedStage, failureCategory]).toEqual(['discovery', 'metadata']);
    });
  });

  test('a row that rests on a call names it', () => {
    always((evidence) => {
      const spanOf = { unexpectedSpanIds: ['a'], mismatchedSpanIds: ['a'] };
      const { stageResults } = deriveChain({
        ...evidence,
        spans: evidence.spans.map((span) => ({ ...span, id: 'a' })),
        turns: evidence.turns.map((turn) => ({ ...turn, ...spanOf })),
        toolErrors: evidence.toolErrors.map((error) => ({ ...error, spanId: 'a' })),
        assertions: evidence.assertions.map((one) => ({ ...one, spanIds: ['a'] })),
      });
      for (const { reason, evidence: pointers } of stageResults) {
        if (!restsOnCall.includes(String(reason))) continue;
        expect(pointers?.spanIds).toEqual(['a']);
      }
    });
  });
});

const restsOnCall = ['protocolError', 'argumentMismatch', 'unexpectedToolCall', 'toolError'];
