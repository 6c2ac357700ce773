/**
 * `proofmark/drafter-1` for swarms: drafts personas from twelve archetypes, and journeys from the
 * tools of servers. Each journey has a check that its tools are called. No journey requests a tool
 * held for writing (a tool that may change data).
 */
import { archetypes } from './archetypes.ts';
import { pairedTools } from './draft-cases.ts';
import { draftableTools } from './draftable-tools.ts';
import type { DraftTool } from './drafted-case.ts';
import {
  checksOfTools,
  type DraftedJourney,
  type DraftedPersona,
  draftBounds,
  type PersonaOptions,
  type PersonaWithJourneys,
} from './drafted-persona.ts';
import { requestForTool } from './request-for-tool.ts';

export function draftPersonas(
  tools: readonly DraftTool[],
  options: PersonaOptions,
): PersonaWithJourneys[] {
  return rankedArchetypes(options)
    .slice(0, options.personaCount)
    .map((persona, place) => ({
      persona,
      journeys: draftJourneys(tools, options.journeyCount, place),
    }));
}

/**
 * Each persona starts after the last tool of the previous persona, so that all personas together
 * cover all tools.
 */
export function draftJourneys(
  listed: readonly DraftTool[],
  journeyCount: number,
  place = 0,
): DraftedJourney[] {
  const { tools } = draftableTools(listed);
  const asked = [...tools.map((tool) => [tool]), ...pairedTools(tools, mostPairs)];
  const count = Math.min(journeyCount, asked.length);
  return Array.from({ length: count }, (_, index) =>
    journeyOver(asked[(place * journeyCount + index) % asked.length] ?? [], tools),
  ).filter(({ goal }) => goal.length <= draftBounds.goal);
}

const mostPairs = 60;

/** Writes one sentence for each tool. A scripted user sends the sentences one after the other. */
function journeyOver(asked: readonly DraftTool[], all: readonly DraftTool[]): DraftedJourney {
  const requests = asked.flatMap((tool) => requestForTool(tool, all, ', with ')?.prompt ?? []);
  const names = asked.map(({ name }) => name);
  return {
    goal: requests.map((request) => request.replace(/(?<![.!?])$/, '.')).join(' '),
    name: names.join(', ').slice(0, draftBounds.title),
    suggestedChecks: checksOfTools(names),
  };
}

/**
 * Returns the archetypes that no existing persona uses. They are sorted by the number of words
 * shared with the description; without a description they keep their order.
 */
function rankedArchetypes({
  description = '',
  existingPersonas = [],
}: PersonaOptions): DraftedPersona[] {
  const known = new Set(existingPersonas.map(({ name }) => name.toLowerCase()));
  const wanted = new Set(wordsOf(description));
  return archetypes
    .filter(({ name }) => !known.has(name.toLowerCase()))
    .map((persona) => {
      const words = new Set(wordsOf(`${persona.name} ${persona.role} ${persona.notes}`));
      return { persona, shared: [...words].filter((word) => wanted.has(word)).length };
    })
    .sort((one, other) => other.shared - one.shared)
    .map(({ persona }) => persona);
}

/** Short words are left out, since they occur in every text. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return words.map((word) => word.replace(/s$/, '')).filter((word) => !commonWords.has(word));
}

const commonWords = new Set(
  (
    'about also back before come does every from have into know like make mostly more never only other people some ' +
    'than that their them then there they thi this thing use user want what when where which will with would your'
  ).split(' '),
);
