/**
 * Reads every page of the console as a person does: what is visible, without commands to copy and
 * without closed folds. No page may show the API's words for checks, an id or a hash, and no label
 * or heading may be a question or half a sentence.
 */
import type { SilentConnections } from '@proofmark/harness/journeys/open-browser.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FurnishedConsole, furnishConsole, openConsolePage } from './furnished-console.ts';

/** Pages about the API itself. */
const ofTheApi = ['/reference'];

let furnished: FurnishedConsole;
let watched: SilentConnections;

beforeAll(async () => {
  furnished = await furnishConsole({
    name: (at) => `Thing ${at + 1}`,
    text: (at) => `Plain words, part ${at + 1}.`,
  });
  const { stage } = furnished;
  watched = await stage.somebody();
  await watched.context.addCookies(await stage.owner.context.cookies());
});
afterAll(async () => {
  await furnished?.stop();
});

interface Seen {
  readonly texts: readonly string[];
  readonly labels: readonly string[];
}

/** Texts in commands, in quoted JSON and of servers are not ours. */
const readPage = `(() => {
  const quoted = '.copy, pre, textarea, script, style, .foreign-text';
  const isSeen = (element) => element.checkVisibility() && element.closest(quoted) === null;
  const main = document.querySelector('main') ?? document.body;
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (isSeen(node.parentElement)) texts.push(node.textContent.trim());
  }
  const labels = [...main.querySelectorAll('label, legend, dt, th, h2, h3, caption')]
    .filter(isSeen)
    .map((label) => (label.querySelector(':scope > b, :scope > span') ?? label).innerText.trim());
  return { texts: texts.filter(Boolean), labels: labels.filter(Boolean) };
})()`;

const wordsOfTheApi =
  /\b(?:criteri(?:on|a)|predicates?|assertions?|policy v2|policyV2|percentile)\b/i;
const idOrHash = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{20,}\b|\b[0-9a-f]{12,}\b/;
const questionOrHalf = /\?$|^(?:What|Who|Whose|How|Why|When|Where|Which|It|They|That|By|For)\b/;

test('no page shows words of the API, ids or hashes, and labels are nouns', async () => {
  const problems: string[] = [];
  for (const at of furnished.pages.keys()) {
    const { route } = furnished.pages[at] ?? { route: '' };
    if (ofTheApi.includes(route)) continue;
    await openConsolePage(watched.page, furnished, at);
    const { texts, labels } = await watched.page.evaluate<Seen>(readPage);
    expect(texts.length, route).toBeGreaterThan(0);
    for (const pattern of [wordsOfTheApi, idOrHash]) {
      problems.push(...texts.filter((one) => pattern.test(one)).map((one) => `${route}: ${one}`));
    }
    problems.push(
      ...labels.filter((one) => questionOrHalf.test(one)).map((one) => `${route}: label ${one}`),
    );
  }
  expect([...new Set(problems)]).toEqual([]);
}, 300_000);
