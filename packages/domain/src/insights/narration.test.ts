import { createHash } from 'node:crypto';
import { anyTrials } from '@proofmark/harness/any-analyzed-trials.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildEnvelope, type EnvelopeOf, type StoredInsights } from './build-envelope.ts';
import type { Candidate } from './candidate.ts';
import { makeCandidate } from './candidate.ts';
import { detectInRun } from './detect-in-run.ts';
import { type CandidateMaterial, coverageOfRun } from './finding-evidence.ts';
import { InsightsEnvelope } from './insights-envelope.ts';
import { type NarrationAnswer, narrateByRules, narratorId, narratorLimit } from './narrator.ts';
import { readNarration, unnarratedOf } from './read-narration.ts';
import { narrationLimits, writeNarrationRequest } from './write-narration-request.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const fired = [{ id: 'itr_1', order: 1, targetId: 'm', firstFailedStage: 'selection' as const }];
const candidate = makeCandidate(
  'case_fail',
  { kind: 'case_variant', id: 'weather.m', label: 'Weather (m)' },
  { fired, slice: fired },
) as Candidate;
const given = {
  fingerprints: new Set([candidate.fingerprint]),
  shownIds: new Set(['itr_1']),
};
const entry = {
  fingerprint: candidate.fingerprint,
  rootCause: 'The description is vague.',
  recommendation: 'Say what it is for.',
  confidence: 'medium',
  acceptanceCriteria: ['It is chosen.'],
};
const good = { summary: 'One case fails.', candidates: [entry], discovery: { findings: [] } };
const read = (answer: unknown) => readNarration(JSON.stringify(answer), given);

describe('an answer', () => {
  test('is taken as it is, also out of a fenced block', () => {
    const { fingerprint: _, ...narration } = entry;
    expect(read(good)).toMatchObject({
      summary: good.summary,
      narrations: { [candidate.fingerprint]: narration },
    });
    const fenced = `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``;
    expect(readNarration(fenced, given)).toEqual(read(good));
  });

  test.each<[string, unknown]>([
    ['prose', 'It fails.'],
    ['a list', [good]],
    ['a number as its summary', { ...good, summary: 7 }],
    ['a blank summary', { ...good, summary: ' \u202e ' }],
    ['a summary that is too long', { ...good, summary: 'x'.repeat(1201) }],
    ['no list of candidates', { ...good, candidates: {} }],
    ['a candidate without a cause', { ...good, candidates: [{ ...entry, rootCause: null }] }],
    [
      'too long a recommendation',
      { ...good, candidates: [{ ...entry, recommendation: 'x'.repeat(801) }] },
    ],
    [
      'four criteria',
      { ...good, candidates: [{ ...entry, acceptanceCriteria: Array(4).fill('x') }] },
    ],
    [
      'too long a criterion',
      { ...good, candidates: [{ ...entry, acceptanceCriteria: ['x'.repeat(201)] }] },
    ],
  ])('with %s is broken, and says how', (_, answer) => {
    expect(read(answer)).toEqual({ problem: expect.any(String) });
  });

  test('that names a candidate nobody gave it loses that, however broken', () => {
    const invented = { fingerprint: 'case_fail:case_variant:other', rootCause: 3 };
    const answer = read({ ...good, candidates: [invented, null, entry] });
    expect(Object.keys((answer as NarrationAnswer).narrations)).toEqual([candidate.fingerprint]);
  });

  test('that leaves one out is whole, and tells which', () => {
    const answer = read({ ...good, candidates: [] }) as NarrationAnswer;
    expect(unnarratedOf([candidate.fingerprint], answer)).toEqual([candidate.fingerprint]);
  });

  test('with an unknown confidence has a low one, and no sign that steers', () => {
    const uncertainEntry = {
      ...entry,
      confidence: 'certain',
      rootCause: 'a\u202eb\u0007 c\nhttps://x.example',
    };
    const answer = read({ ...good, candidates: [uncertainEntry] }) as NarrationAnswer;
    expect(answer.narrations[candidate.fingerprint]).toMatchObject({
      confidence: 'low',
      rootCause: 'ab c https://x.example',
    });
  });

  test('discovers only what it was shown, five times at most', () => {
    const seen = { title: 'T', observed: 'O', evidenceSessionIds: ['itr_1', 'itr_9', 'itr_1'] };
    const findings = [{ ...seen, evidenceSessionIds: ['itr_9'] }, ...Array(7).fill(seen)];
    const answer = read({ ...good, discovery: { findings } }) as NarrationAnswer;
    expect(answer.discovery.findings).toHaveLength(5);
    expect(answer.discovery.findings[0]?.evidenceSessionIds).toEqual(['itr_1']);
  });
});

test('whatever was recorded, a request has an end, holds at most eight candidates, and its marks cannot be spelled', () => {
  const texts = fc.constantFrom('</material>', '"\\'.repeat(3000), '<'.repeat(9000), 'plain');
  fc.assert(
    fc.property(texts, texts, fc.nat(12), (text, description, count) => {
      const tool = { name: text, description, inputSchema: text };
      const shown = {
        candidate,
        exemplars: Array(4).fill({ id: 'itr_1', text }),
        contrast: { id: 'itr_2', text },
        tools: Array(9).fill(tool),
      };
      const { system, prompt } = writeNarrationRequest({
        kind: 'eval_run',
        coverage: coverageOfRun(1, 1),
        candidates: Array(count).fill(shown),
      });
      expect(system.length + prompt.length).toBeLessThanOrEqual(narrationLimits.characters);
      expect(prompt.match(/<\/?material>/g)).toEqual(['<material>', '</material>']);
      const { candidates } = JSON.parse(prompt.slice('<material>'.length, -'</material>'.length));
      expect(candidates).toHaveLength(Math.min(count, narrationLimits.candidates));
      for (const one of candidates) expect(one.exemplars).toHaveLength(narrationLimits.exemplars);
    }),
    { numRuns: 30 },
  );
});

const materialOf = (one: Candidate): CandidateMaterial => ({
  candidate: one,
  pattern: 'the tool said <text>',
  evidence: one.exemplarIds.map((id) => ({
    kind: 'transcript' as const,
    excerpt: 'x',
    iterationId: id,
  })),
  omittedEvidence: one.contrastIds.length,
});

function completed(
  candidates: readonly Candidate[],
  answer: NarrationAnswer,
  more: Partial<EnvelopeOf> = {},
) {
  const coverage = coverageOfRun(10, 10);
  const material = {
    coverage,
    candidateCount: candidates.length,
    candidates: candidates.map(materialOf),
  };
  const stored: StoredInsights = {
    status: 'completed',
    modelUsed: 'acme/large',
    errorCode: null,
    generatedAt: 1,
    updatedAt: 2,
    material,
    answer,
  };
  const scope = { kind: 'eval_run' as const, id: 'run_1' };
  const of: EnvelopeOf = {
    scope,
    projectId: 'prj_1',
    coverage,
    unavailable: null,
    stored,
    ...more,
  };
  return buildEnvelope(of, sha256Hex);
}

describe('an envelope', () => {
  test('has its finding by the model, with our counts', () => {
    const [finding] = completed([candidate], read(good) as NarrationAnswer).findings;
    expect(finding).toMatchObject({
      title: 'A case fails: Weather (m)',
      category: 'agent_behavior',
      attribution: 'agent_or_prompt',
      actionTarget: 'agent_configuration',
      actionability: 'investigate',
      severity: 'high',
      confidence: 'low',
      narratorConfidence: 'medium',
      narratedBy: 'acme/large',
      rootCause: entry.rootCause,
      observed: '1 of 1 graded trials failed, first at selection.',
      affected: { count: 1, total: 1, unit: 'iterations' },
      patternSlug: 'the-tool-said-text',
    });
    expect(finding?.id).toBe(
      `rf_${sha256Hex(JSON.stringify(['prj_1', candidate.fingerprint, 'the tool said <text>'])).slice(0, 16)}`,
    );
  });

  test('explains what the model left out by rules, and says so', () => {
    const answer = read({ ...good, candidates: [] }) as NarrationAnswer;
    expect(completed([candidate], answer).findings).toMatchObject([
      { narratedBy: narratorId, narratorConfidence: 'low' },
    ]);
  });

  test('is ready only for a server, at a tool of the pinned surface', () => {
    const errors = makeCandidate(
      'tool_errors',
      { kind: 'tool', id: 'srv.x', label: 'x' },
      { fired, slice: fired, metric: 1 },
    ) as Candidate;
    const target = {
      serverId: 'srv',
      toolName: 'x',
      surface: 'handler' as const,
      snapshotHash: 'h',
    };
    const answer = narrateByRules([errors, candidate], coverageOfRun(1, 1));
    const actionability = (one: Candidate, material: Partial<CandidateMaterial>) => {
      const detected = {
        coverage: coverageOfRun(1, 1),
        candidateCount: 1,
        candidates: [{ ...materialOf(one), ...material }],
      };
      const stored = {
        status: 'completed' as const,
        modelUsed: narratorId,
        errorCode: null,
        generatedAt: 1,
        updatedAt: 1,
        material: detected,
        answer,
      };
      return completed([one], answer, { stored }).findings[0]?.actionability;
    };
    expect(actionability(errors, { target })).toBe('ready');
    expect(actionability(errors, {})).toBe('investigate');
    expect(actionability(candidate, { target })).toBe('investigate');
  });

  test('that was not asked for says what would be read, and one that cannot be why', () => {
    const nothing = { stored: undefined, coverage: coverageOfRun(2500, 1000) };
    const answer = narrateByRules([], coverageOfRun(1, 1));
    expect(completed([], answer, nothing)).toMatchObject({
      status: 'not_requested',
      reasonCode: null,
      findings: [],
      summary: null,
      coverage: {
        analyzed: 2000,
        total: 2500,
        gradedCount: 1000,
        truncated: true,
        lowConfidence: true,
      },
    });
    for (const unavailable of ['insights_off', 'not_terminal'] as const) {
      const off = completed([candidate], answer, { unavailable });
      expect(off).toMatchObject({ status: 'not_available', reasonCode: unavailable, findings: [] });
    }
  });

  test('of nothing found is completed and says so', () => {
    const answer = narrateByRules([], coverageOfRun(3, 3));
    expect(completed([], answer)).toMatchObject({
      status: 'completed',
      reasonCode: 'nothing_found',
    });
    expect(answer.summary).toBe(`Nothing was found in 3 trials. ${narratorLimit}`);
  });
});

test('by rules every candidate is explained, and the summary tells of the two severest', () => {
  fc.assert(
    fc.property(anyTrials, (trials) => {
      const candidates = detectInRun(trials, { trials: trials.length, byVariant: new Map() });
      const answer = narrateByRules(candidates, coverageOfRun(trials.length, trials.length));
      expect(
        unnarratedOf(
          candidates.map(({ fingerprint }) => fingerprint),
          answer,
        ),
      ).toEqual([]);
      expect(answer.summary.endsWith(narratorLimit)).toBe(true);
      expect(answer.summary.length).toBeLessThanOrEqual(1200);
      const envelope = completed(candidates, answer);
      expect(InsightsEnvelope.parse(envelope)).toEqual(envelope);
    }),
  );
});

test('whatever a model answers, counts, ids, severity and what was observed stay as they are', () => {
  const anyText = fc.oneof(fc.string(), fc.constant('x'), fc.constant(9));
  fc.assert(
    fc.property(anyTrials, fc.func(anyText), fc.boolean(), (trials, say, invents) => {
      const candidates = detectInRun(trials, { trials: trials.length, byVariant: new Map() }).slice(
        0,
        25,
      );
      const claims = {
        affected: { count: 99 },
        severity: 'info',
        observed: 'none',
        id: 'rf_x',
        evidence: [],
      };
      const answer = {
        summary: 'S',
        ...claims,
        coverage: { total: 0 },
        candidates: [
          ...candidates.map(({ fingerprint }, index) => ({
            fingerprint,
            ...claims,
            confidence: say(index),
            rootCause: `Cause ${say(index)}`.slice(0, 800),
            recommendation: 'R',
            acceptanceCriteria: [],
          })),
          ...(invents ? [{ ...entry, fingerprint: 'case_fail:case_variant:invented' }] : []),
        ],
      };
      const fingerprints = new Set(candidates.map(({ fingerprint }) => fingerprint));
      const taken = readNarration(JSON.stringify(answer), { fingerprints, shownIds: new Set() });
      if ('problem' in taken) throw new Error(taken.problem);
      const withoutNarration = completed(candidates, { ...taken, narrations: {} });
      const byModel = completed(candidates, taken);
      const ours = ({ findings, summary: _, ...envelope }: InsightsEnvelope) => ({
        ...envelope,
        findings: findings.map(
          ({
            rootCause: _cause,
            recommendation: _do,
            acceptanceCriteria: _seen,
            narratedBy: _by,
            narratorConfidence: _sure,
            ...rest
          }) => rest,
        ),
      });
      expect(ours(byModel)).toEqual(ours(withoutNarration));
      expect(byModel.findings.length).toBe(Math.min(20, candidates.length));
      expect(byModel.truncation.omittedFindings).toBe(Math.max(0, candidates.length - 20));
    }),
  );
});
