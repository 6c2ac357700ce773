import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chainStoppedAt, decidedSummary, summaryOf, trial } from './example-summaries.ts';
import { type RenderOptions, renderSummary } from './render-summary.ts';

const hostile = [
  '[click](https://evil.example)',
  '<img src=x onerror=alert(1)>',
  '@everyone #1 GH-1 www.evil.example',
  '\n# heading\n\n- list\n',
  '| a | b |\n|---|---|',
  '`',
  '``` \n~~~',
  '` `` ` @me',
  '\\`@me\\`',
  '\u001b[31mred\u001b[0m\u0007',
  '\u202eevil',
  '&lt;b&gt; $x$ :smile:',
  '   ',
  '\ud800',
];
const theirText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('`', '``', ' ', '\n', '@me', '|', '*', '\\', '<b>'), { maxLength: 8 })
    .map((parts) => parts.join('')),
);

describe('text of others', { timeout: 60_000 }, () => {
  it('stands in code spans of Markdown and nowhere else', () => {
    fc.assert(
      fc.property(fc.array(theirText, { minLength: 9, maxLength: 9 }), (texts) => {
        const numberedTexts = texts.map((text, index) => `${text}~${index}~`);
        const outside = withoutCodeSpans(rendered(numberedTexts, { format: 'markdown' }));
        const harmless = texts.map((_, index) => `a~${index}~`);
        expect(outside).toBe(withoutCodeSpans(rendered(harmless, { format: 'markdown' })));
        expect(outside).not.toMatch(/[`<[\]@|~\\]/);
      }),
      runsOf(200),
    );
  });

  it('steers no terminal, adds no line and keeps breakable lines within the width', () => {
    fc.assert(
      fc.property(
        fc.array(theirText, { minLength: 9, maxLength: 9 }),
        fc.integer({ min: 30, max: 120 }),
        (texts, width) => {
          const text = rendered(texts, { format: 'text', width });
          expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
          expect(text.isWellFormed()).toBe(true);
          for (const line of text.split('\n')) {
            if ([...line].length > width) expect(line.trim()).not.toContain(' ');
          }
        },
      ),
      runsOf(200),
    );
  });

  it('is ASCII where only ASCII prints', () => {
    fc.assert(
      fc.property(
        fc.array(theirText, { minLength: 9, maxLength: 9 }),
        fc.constantFrom('text' as const, 'markdown' as const),
        (texts, format) => {
          expect(rendered(texts, { format, ascii: true })).toMatch(/^[\n\x20-\x7e]+$/);
        },
      ),
    );
  });

  it('cannot pass for an action of ours', () => {
    const summary = decidedSummary(['f'], [trial(1)]);
    for (const item of summary.diagnostics.items) item.nextAction = '[x](https://evil.example)';
    expect(renderSummary(summary, { format: 'markdown' })).toContain(
      '- **Next:** `[x](https://evil.example)`',
    );
  });

  it('that is a status nobody knows, or the note of an undecided run, is kept apart too', () => {
    const run = {
      status: 'completed',
      verdictPolicyVersion: 2,
      integrityError: '<b>@me</b>',
    };
    expect(renderSummary(summaryOf(run), { format: 'markdown' })).toContain('`<b>@me</b>`');
    expect(renderSummary(summaryOf({ status: '@me' }), { format: 'markdown' })).toContain('`@me`');
  });
});

it('the same summary always gives the same bytes', () => {
  const texts = hostile.slice(0, 9);
  expect(rendered(texts, { format: 'text' })).toBe(rendered(texts, { format: 'text' }));
});

function rendered(texts: readonly string[], options: RenderOptions): string {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', model = ''] = texts;
  const one = trial(1, {
    ...chainStoppedAt('userValue', 'predicateFailed', 'userValue', [a]),
    title: b || 'x',
    error: c || 'x',
    expectedToolCalls: [{ toolName: d || 'x' }],
    actualToolCalls: [{ toolName: e || 'x' }],
  });
  return renderSummary(decidedSummary(['f'], [one], {}, model || 'x'), {
    waiver: { until: f, by: g, reason: h },
    title: a,
    caseTitles: { case_1: b },
    calls: new Map([
      [
        one.iterationId,
        {
          expectedToolCalls: [{ toolName: d || 'x', arguments: { [c]: e } }],
          actualToolCalls: [{ toolName: e || 'x', args: { [f]: [g], nested: { [h]: a } } }],
        },
      ],
    ]),
    console: { baseUrl: 'https://proofmark.example', projectId: h },
    ...options,
  });
}

// CommonMark: a run of backticks opens a code span, and the next run of the same length closes it.
function withoutCodeSpans(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => {
      let outside = '';
      let at = 0;
      while (at < line.length) {
        const fence = /^`+/.exec(line.slice(at))?.[0];
        if (fence === undefined) {
          outside += line.charAt(at);
          at += 1;
          continue;
        }
        const inside = line.slice(at + fence.length);
        const close = [...inside.matchAll(/`+/g)].find(([run]) => run.length === fence.length);
        if (close === undefined) throw new Error(`An open code span: ${line}`);
        outside += 'CODE';
        at += fence.length + close.index + fence.length;
      }
      return outside;
    })
    .join('\n');
}
