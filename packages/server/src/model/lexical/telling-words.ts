/** Words that say little by themselves, or turn what follows into its opposite. */
/** In the name of a switch. */
export const vagueStems = new Set([
  'is',
  'has',
  'includ',
  'enabl',
  'with',
  'show',
  'allow',
  'only',
  'us',
  'flag',
  'should',
  'be',
]);
export const negations = new Set([
  'not',
  'no',
  'without',
  'don',
  'exclude',
  'excluding',
  'skip',
  'disable',
  'never',
  'ignore',
]);
/** Words that ask and name nothing. */
export const askingStems = new Set([
  'find',
  'search',
  'look',
  'show',
  'list',
  'fetch',
  'check',
  'mak',
  'creat',
  'add',
  'send',
]);
