/**
 * Verbs of several words, whose meaning differs from that of their words: `get rid of` is neither
 * `get` nor `of`.
 */
export function withPhrasesAsVerbs(text: string): string {
  let said = text;
  for (const [pattern, verb] of phrases) said = said.replace(pattern, ` ${verb} `);
  return said;
}

const phrases: readonly (readonly [RegExp, string])[] = [
  ['get(?:ting)? rid of|(?:take|throw|cross) (?:it |that |this |them )?(?:off|out|away)', 'delete'],
  ['do away with|no longer (?:need|want)(?:ed)?', 'delete'],
  ['(?:do|did|does) (?:you|we) (?:remember|know|have)', 'search'],
  ['(?:can.?t|cannot|don.?t) remember', 'search'],
  ['(?:allowed|permitted) to \\p{L}{1,20}(?: at| into)?', 'allow'],
  ['look(?:ing)? at', 'view'],
  ['(?:look|go|comb) through|look(?:ing)? (?:up|for)', 'search'],
  ['(?:dig|look) (?:deep )?into|find out (?:about|all)|read up on', 'research'],
  ['(?:pull|bring|call) up', 'open'],
  ['set(?:ting)? up|i need an?|put together|come up with', 'create'],
  ['(?:write|jot|note) down|keep in mind|make a note', 'note'],
  ['what.?s (?:in|inside)|what (?:is|are|stands) (?:in|inside)', 'inside'],
  ['(?:unlink|disconnect|detach)', 'delete link'],
  ['(?<=^ ?|please |you )(?:link|connect|relate|tie)', 'create link'],
  ['kick off|set off', 'start'],
  ['(?:right|just) now|at (?:the|this) moment', 'moment'],
  ['how many', 'count'],
].map(([pattern, verb]) => [
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu'),
  verb as string,
]);
