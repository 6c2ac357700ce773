/** Returns the nouns in a tool's name: in the singular, without the words for actions. */
export function nounsOf(name: string): string[] {
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

/** Words for reading, and words that name nothing. */
const otherWords = new Set(
  (
    'a all an any and by check count current describe fetch find for free from get in info into is list lookup my new of ' +
    'on or query read retrieve search show status the to view with'
  ).split(' '),
);
