/**
 * `proofmark/drafter-1`: drafts cases for the tools of servers by rules alone, without clock or
 * randomness. If there are fewer distinct cases than requested, it drafts fewer. It skips tools
 * that only widgets may call, tools without sample arguments, and tools held for writing (they may
 * change data) unless the caller includes them.
 */
import { isHeldForWriting } from '../surfaces/held-for-writing.ts';
import { draftableTools } from './draftable-tools.ts';
import {
  type CaseBucket,
  type CaseMix,
  caseBuckets,
  type DraftedCase,
  type DraftedTurn,
  type DraftTool,
} from './drafted-case.ts';
import { speakInVoice } from './prompt-styles.ts';
import { requestForTool } from './request-for-tool.ts';
import { smallTalk } from './small-talk.ts';

export interface DraftOptions {
  readonly mix: CaseMix;
  readonly varyUserStyles?: boolean | undefined;
  readonly includesWriting?: boolean | undefined;
}

export function draftCases(listed: readonly DraftTool[], options: DraftOptions): DraftedCase[] {
  const { tools } = draftableTools(listed, options);
  const drafts = caseBuckets.flatMap((bucket) =>
    draftersOf[bucket](tools, options.mix[bucket]).map((draft) => ({ bucket, ...draft })),
  );
  return withNumbers(drafts).map((draft, index) =>
    options.varyUserStyles === true ? { ...draft, turns: speakInVoice(draft.turns, index) } : draft,
  );
}

type Draft = Omit<DraftedCase, 'bucket'>;
type Drafter = (tools: readonly DraftTool[], most: number) => Draft[];

/**
 * The maximum number of tools among which pairs are searched. Comparing every tool with every other
 * takes quadratic time.
 */
const mostPaired = 200;

const draftersOf: Readonly<Record<CaseBucket, Drafter>> = {
  simple: (tools, most) => tools.slice(0, most).map((tool) => inTurns([tool], tools)),
  multiTool: (tools, most) => pairedTools(tools, most).map((pair) => inOnePrompt(pair, tools)),
  multiTurn: (tools, most) => pairedTools(tools, most).map((pair) => inTurns(pair, tools)),
  complex: (tools, most) => triplesOf(tools, most).map((three) => inOnePrompt(three, tools)),
  negative: (_tools, most) =>
    smallTalk.slice(0, most).map((prompt) => ({
      title: 'small talk',
      turns: [{ prompt, expected: [] }],
    })),
};

/**
 * Returns pairs of tools about the same thing: a reading tool with a writing tool, or with another
 * reading tool if none writes.
 */
export function pairedTools(tools: readonly DraftTool[], most: number): DraftTool[][] {
  const pairs: DraftTool[][] = [];
  const known = tools.slice(0, mostPaired).map((tool) => ({ tool, nouns: nounsOf(tool.name) }));
  const reading = known.filter(({ tool }) => !isHeldForWriting(tool));
  const writing = known.filter(({ tool }) => isHeldForWriting(tool));
  for (const [place, first] of reading.entries()) {
    for (const second of writing.length > 0 ? writing : reading.slice(place + 1)) {
      if (pairs.length >= most) return pairs;
      if (first.nouns.some((noun) => second.nouns.includes(noun)))
        pairs.push([first.tool, second.tool]);
    }
  }
  return pairs;
}

/**
 * Adds a third tool about the same thing to each pair. The same three tools are returned only once.
 */
function triplesOf(tools: readonly DraftTool[], most: number): DraftTool[][] {
  const triples: DraftTool[][] = [];
  const seen = new Set<string>();
  for (const pair of pairedTools(tools, mostPaired)) {
    const [reading, writing] = pair as [DraftTool, DraftTool];
    const shared = nounsOf(reading.name).filter((noun) => nounsOf(writing.name).includes(noun));
    for (const third of tools.slice(0, mostPaired)) {
      if (triples.length >= most) return triples;
      if (pair.includes(third) || !nounsOf(third.name).some((noun) => shared.includes(noun)))
        continue;
      const key = JSON.stringify(
        [...pair, third].map(({ serverName, name }) => [serverName, name]).sort(),
      );
      if (seen.has(key)) continue;
      seen.add(key);
      triples.push([...pair, third]);
    }
  }
  return triples;
}

function inTurns(tools: readonly DraftTool[], all: readonly DraftTool[]): Draft {
  return { title: titleOf(tools), turns: requestsFor(tools, all) };
}

function requestsFor(tools: readonly DraftTool[], all: readonly DraftTool[]): DraftedTurn[] {
  return tools.flatMap((tool) => requestForTool(tool, all) ?? []);
}

function inOnePrompt(tools: readonly DraftTool[], all: readonly DraftTool[]): Draft {
  const turns = requestsFor(tools, all);
  const renders = turns.flatMap((turn) => turn.renders ?? []);
  const prompt = turns.map((turn) => turn.prompt.replace(/(?<![.!?])$/, '.')).join(' ');
  const whole: DraftedTurn = {
    prompt,
    expected: turns.flatMap(({ expected }) => expected),
    ...(renders.length > 0 && { renders }),
  };
  return { title: titleOf(tools), turns: [whole] };
}

function titleOf(tools: readonly DraftTool[]): string {
  return tools.map(({ name }) => name).join(', ');
}

/**
 * Numbers repeated titles: the second draft becomes `title 2`, unless another draft already has
 * that title.
 */
function withNumbers<Draft extends { readonly title: string }>(drafts: readonly Draft[]): Draft[] {
  const taken = new Set(drafts.map(({ title }) => title));
  const uses = new Map<string, number>();
  return drafts.map((draft) => {
    let number = (uses.get(draft.title) ?? 0) + 1;
    while (number > 1 && taken.has(`${draft.title} ${number}`)) number += 1;
    uses.set(draft.title, number);
    return number === 1 ? draft : { ...draft, title: `${draft.title} ${number}` };
  });
}

function nounsOf(name: string): string[] {
  const words = wordsOf(name).filter((word) => !writingWords.has(word) && !otherWords.has(word));
  return [...new Set(words.map(singular))];
}

function wordsOf(name: string): string[] {
  return (name.slice(0, 200).match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{L}+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

const writingWords = new Set(
  (
    'add append apply assign book build buy call cancel change clear close comment commit configure create delete deploy ' +
    'disable drop edit enable erase execute fork generate import insert install invite kill launch log make merge modify ' +
    'move open pay place post publish push put refund register reject release remove rename renew reopen replace ' +
    'reserve reset restart revoke run save schedule send set share start stop store submit switch sync toggle trigger ' +
    'undo update upload upsert write'
  ).split(' '),
);

/**
 * Words in tool names that name no thing: verbs for reading such as `get`, and function words such
 * as `the`.
 */
const otherWords = new Set(
  (
    'a all an any and by check count current describe fetch find for free from get in info into is list lookup my new of ' +
    'on or query read retrieve search show status the to view with'
  ).split(' '),
);
