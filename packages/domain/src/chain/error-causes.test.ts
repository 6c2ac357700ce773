/** Each pattern must match the sentence that the code writes, with names chosen to confuse it. */
import { expect, test } from 'vitest';
import * as causes from './error-causes.ts';

const name = 'a "b": c, caused by the server: ';

test.each([
  ['serverData', causes.unlistedTool(name), /^Correct the name of the tool/],
  ['serverData', causes.unlistedPrompt(name), /^Correct the name of the prompt/],
  ['setup', causes.creditsUsedUp, /creditsPerDay/],
  ['setup', causes.creditsOfRunUsedUp, /maxCredits/],
  ['setup', causes.crowdedCall(name, 500, 'it was busy'), /fewer trials at a time/],
  ['setup', causes.crowdedCall(name, 60_000, 'it was busy'), /fewer trials at a time/],
  ['setup', causes.needsAbility(name, 'sampling'), /clientCapabilities/],
  ['setup', causes.needsRenderer(undefined), /make a Chromium available/],
  ['setup', causes.needsRenderer('It is off.'), /make a Chromium available/],
  ['setup', causes.browserLost(name, 'It stopped.'), /check the browser/],
  [
    'setup',
    `The call of ${JSON.stringify(name)} got no result: ${causes.silentFor(2000)}`,
    /slow call/,
  ],
] as const)('%s: %s', (category, sentence, action) => {
  expect(causes.actionOfCause(category, sentence)).toMatch(action);
});
