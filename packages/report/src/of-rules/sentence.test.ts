import { quoteSentence, say } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { plainSentence } from '../write-text.ts';

test.each([
  ['The server broke.', '"The server broke." Look there.'],
  ['The server broke', '"The server broke". Look there.'],
  ['Why? ', '"Why?" Look there.'],
])('a quotation that is a sentence ends once: %j', (text, expected) => {
  const sentence = plainSentence(say`${quoteSentence(text)} Look there.`, false);
  expect(sentence.replace(' "', '"')).toBe(expected);
});
