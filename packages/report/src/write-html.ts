/**
 * Writes an outline as one self-contained HTML file without scripts, fonts or pictures. It follows
 * the light or dark preference of the reader's system. Text from outside is escaped, stays on one
 * line and cannot change the direction of surrounding text. Only Proofmark's own URLs become links.
 */

import { cleanText, percent, type Sentence } from '@proofmark/domain';
import { escapeMarkup } from './escape-markup.ts';
import {
  type CaseOutcome,
  measuredOfCase,
  type ReportCase,
  whyUnmeasured,
} from './report-cases.ts';
import type { SummaryOutline } from './summary-outline.ts';
import { plainSentence } from './write-text.ts';

const outcomeWords: Readonly<Record<CaseOutcome, string>> = {
  passed: '✓ passed',
  failed: '✗ failed',
  notMeasured: '– not measured',
  skipped: '· skipped',
};

const style = `
:root { color-scheme: light dark; --ink: #1c1f23; --quiet: #565d66; --paper: #ffffff; --line: #d5d9de;
  --passed: #12692f; --failed: #a81e1e; --open: #7a5200; --link: #0b57b0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --quiet: #a3abb5; --paper: #15181c; --line: #3a4048;
  --passed: #6fce8b; --failed: #ff8a80; --open: #f0bf5a; --link: #8ab8ff; } }
body { margin: 0 auto; padding: 2rem 1rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3, h4 { font-size: 1rem; }
a { color: var(--link); } .quiet { color: var(--quiet); }
.passed { color: var(--passed); } .failed { color: var(--failed); } .open { color: var(--open); }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--line); }
section { border-top: 1px solid var(--line); margin-top: 1rem; }
.strip { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; }
.waiver, .next { border-left: 0.25rem solid var(--open); padding-left: 0.75rem; }
`;

export interface HtmlPart {
  readonly outline: SummaryOutline;
  readonly verdict: string;
  readonly cases: readonly ReportCase[];
}

export function writeHtml(part: HtmlPart): string {
  return writePage(part.outline.verdict, partLines(part, 1));
}

export function writeHtmlOfAll(headline: Sentence, parts: readonly HtmlPart[]): string {
  return writePage(headline, [
    `<h1>${inline(headline)}</h1>`,
    ...parts.flatMap((part) => ['<article>', ...partLines(part, 2), '</article>']),
  ]);
}

function writePage(title: Sentence, lines: readonly string[]): string {
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeMarkup(plainSentence(title, false))}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<main>',
    ...lines,
    '</main>',
    '</body>',
    '</html>',
  ].join('\n')}\n`;
}

/** `level` is the heading level of the run's title. */
function partLines({ outline, verdict, cases }: HtmlPart, level: number): string[] {
  const tone = verdict === 'passed' || verdict === 'failed' ? verdict : 'open';
  const [top, inner, innermost] = [`h${level}`, `h${level + 1}`, `h${level + 2}`];
  const paragraphs = (sentences: readonly Sentence[]) =>
    sentences.map((sentence) => `<p>${inline(sentence)}</p>`);
  const list = (sentences: readonly Sentence[]) => [
    '<ul>',
    ...sentences.map((sentence) => `<li>${inline(sentence)}</li>`),
    '</ul>',
  ];
  return [
    `<${top} class="${tone}">${inline(outline.verdict)}</${top}>`,
    ...paragraphs(outline.about),
    `<p class="quiet">${inline(outline.run)}</p>`,
    ...(outline.page ? [`<p>Console: ${inline(outline.page)}</p>`] : []),
    ...(outline.waiver ? [`<p class="waiver">${inline(outline.waiver)}</p>`] : []),
    ...(outline.next ? [`<p class="next">Next: ${inline(outline.next)}</p>`] : []),
    ...(outline.quarantine.length === 0
      ? []
      : [`<${inner}>Quarantine</${inner}>`, ...list(outline.quarantine)]),
    ...(cases.length === 0 ? [] : casesTable(cases, inner)),
    ...(outline.trialsHeading ? [`<${inner}>${inline(outline.trialsHeading)}</${inner}>`] : []),
    ...outline.trials.flatMap(({ heading, strip, facts }) => [
      '<section>',
      `<${innermost}>${inline(heading)}</${innermost}>`,
      ...(strip.length === 0
        ? []
        : [
            `<ul class="strip">${strip.map((stage) => `<li>${escapeMarkup(stage)}</li>`).join('')}</ul>`,
          ]),
      '<dl>',
      ...facts.map(({ label, text }) => `<dt>${label}</dt><dd>${inline(text)}</dd>`),
      '</dl>',
      '</section>',
    ]),
    ...(outline.legend.length === 0
      ? []
      : [`<p class="quiet">Signs: ${escapeMarkup(outline.legend.join(', '))}</p>`]),
    ...(outline.notShown.length === 0
      ? []
      : [`<${inner}>Not shown</${inner}>`, ...list(outline.notShown)]),
  ];
}

function casesTable(cases: readonly ReportCase[], heading: string): string[] {
  return [
    `<${heading}>Case variants</${heading}>`,
    '<table>',
    '<thead><tr><th scope="col">Case</th><th scope="col">Outcome</th><th scope="col">Measured</th><th scope="col">Must pass</th></tr></thead>',
    '<tbody>',
    ...cases.map(({ name, outcome, row, plan }) => {
      const tone = outcome === 'passed' || outcome === 'failed' ? outcome : 'open';
      const measured =
        row.eligibleTrials === 0 ? whyUnmeasured(row) : measuredOfCase({ row, plan });
      return `<tr><td>${inline(name)}</td><td class="${tone}">${outcomeWords[outcome]}</td><td>${escapeMarkup(measured)}</td><td>${percent(row.effectivePassThreshold)}</td></tr>`;
    }),
    '</tbody>',
    '</table>',
  ];
}

const madeAddress = /^https?:\/\/[A-Za-z0-9.:/%_-]+$/;

function inline(sentence: Sentence): string {
  return sentence
    .map((part) => {
      if (typeof part === 'string') {
        const text = escapeMarkup(part);
        return madeAddress.test(part) ? `<a href="${text}">${text}</a>` : text;
      }
      const text = `<bdi>${escapeMarkup(cleanText(part.theirs, false))}</bdi>`;
      return part.quoted ? `&quot;${text}&quot;` : text;
    })
    .join('');
}
