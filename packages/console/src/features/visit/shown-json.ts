/**
 * Escapes invisible characters and characters that change the text direction, so that visitors see
 * exactly the arguments that they approve.
 */
export function shownJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(notSeen, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(
      '',
    ),
  );
}

const notSeen =
  /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f\u115f\u1160\u3164\uffa0]|\p{Variation_Selector}/gu;

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
