/**
 * `proofmark/drafter-1`: cases for the tools of servers, by rules alone. It knows no clock and no chance: the same tools
 * give the same cases, in whatever order they come. Where more are asked for than can be drawn apart, fewer are made.
 */
import { isHeldForWriting } from '../surfaces/held-for-writing.ts';
import {
  type CaseBucket,
  type CaseMix,
  caseBuckets,
  type DraftedCase,
  type DraftedTurn,
  type DraftTool,
} from './drafted-case.ts';
import { requestForTool } from './request-for-tool.ts';
import { smallTalk } from './small-talk.ts';
import { nounsOf } from './tool-words.ts';
import { speakInVoice } from './voices.ts';

export interface DraftWish {
  readonly mix: CaseMix;
  readonly varyUserStyles?: boolean | undefined;
}

export function draftCases(listed: readonly DraftTool[], wish: DraftWish): DraftedCase[] {
  const tools = toolsInOrder(listed);
  const drafts = caseBuckets.flatMap((bucket) =>
    draftersOf[bucket](tools, wish.mix[bucket]).map((draft) => ({ bucket, ...draft })),
  );
  return withNumbers(drafts).map((draft, index) =>
    wish.varyUserStyles === true ? { ...draft, turns: speakInVoice(draft.turns, index) } : draft,
  );
}

type Draft = Omit<DraftedCase, 'bucket'>;
type Drafter = (tools: readonly DraftTool[], most: number) => Draft[];

const mostTools = 1_000;
/** Comparing every tool with every other takes the square of this. */
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

/** Those that only read come first, then by name; one that is listed twice is one. */
export function toolsInOrder(listed: readonly DraftTool[]): DraftTool[] {
  const known = new Map(
    listed
      .slice(0, mostTools)
      .map((tool) => [JSON.stringify([tool.serverName, tool.name]), tool] as const),
  );
  return [...known.values()].sort(
    (one, other) =>
      Number(isHeldForWriting(one)) - Number(isHeldForWriting(other)) ||
      compare(one.name, other.name) ||
      compare(one.serverName, other.serverName),
  );
}

/** A tool that reads, then one that writes and speaks of the same thing. */
export function pairedTools(tools: readonly DraftTool[], most: number): DraftTool[][] {
  const pairs: DraftTool[][] = [];
  const known = tools.slice(0, mostPaired).map((tool) => ({ tool, nouns: nounsOf(tool.name) }));
  for (const reading of known.filter(({ tool }) => !isHeldForWriting(tool))) {
    for (const writing of known) {
      if (pairs.length >= most) return pairs;
      const isPair =
        isHeldForWriting(writing.tool) &&
        reading.nouns.some((noun) => writing.nouns.includes(noun));
      if (isPair) pairs.push([reading.tool, writing.tool]);
    }
  }
  return pairs;
}

/** A pair, and a third tool that speaks of the same thing; no three are taken twice. */
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
  return { title: titleOf(tools), turns: tools.map((tool) => requestForTool(tool, all)) };
}

function inOnePrompt(tools: readonly DraftTool[], all: readonly DraftTool[]): Draft {
  const turns = tools.map((tool) => requestForTool(tool, all));
  const prompt = turns.map((turn) => turn.prompt.replace(/(?<![.!?])$/, '.')).join(' ');
  const whole: DraftedTurn = { prompt, expected: turns.flatMap(({ expected }) => expected) };
  return { title: titleOf(tools), turns: [whole] };
}

function titleOf(tools: readonly DraftTool[]): string {
  return tools.map(({ name }) => name).join(', ');
}

/** The second of a title is `title 2`, unless that is somebody's own. */
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

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
