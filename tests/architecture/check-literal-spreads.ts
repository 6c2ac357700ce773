// The rule: no object literal is spread into another one, since the compiler does not find unknown
// properties in a spread.
import { isSource, listFiles, readText } from './source-tree.ts';

const literalSpread = /\.\.\.\(?\{/;

export function checkLiteralSpreads(root: string): string[] {
  return listFiles(root)
    .filter(isSource)
    .flatMap((file) =>
      readText(root, file)
        .split('\n')
        .flatMap((line, index) =>
          literalSpread.test(line) && !allowed.test(line)
            ? [`${file}:${index + 1} spreads an object literal; write its properties`]
            : [],
        ),
    );
}

/**
 * Two kinds of lines are exempt: casts (`as object`) of a property that the object's type forbids,
 * and lines about this rule.
 */
const allowed = /as object\)|literalSpread|\/\*/;
