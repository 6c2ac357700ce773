import { textPiece } from '@proofmark/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newTurn, withLine, withPiece } from './turn-view.ts';

test('an answer that goes on is one text, and the whole stands in its place', () => {
  let turn = newTurn('turn', 'Hi');
  turn = withPiece(turn, textPiece('', 'It is'));
  turn = withPiece(turn, textPiece('It is', 'It is warm'));
  expect(turn.parts).toEqual([{ kind: 'text', text: 'It is warm', goesOn: true }]);
  turn = withLine(turn, { type: 'text', text: 'It is warm.' });
  expect(turn.parts).toEqual([{ kind: 'text', text: 'It is warm.' }]);
});

test('pieces lead to what was said last, also where it was said anew', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 1 }), (texts) => {
      let turn = newTurn('turn', 'Hi');
      for (const [index, text] of texts.entries()) {
        turn = withPiece(turn, textPiece(texts[index - 1] ?? '', text));
      }
      expect(turn.parts).toEqual([{ kind: 'text', text: texts.at(-1), goesOn: true }]);
    }),
  );
});
