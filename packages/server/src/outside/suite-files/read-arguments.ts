import { isRecord, type ReadArguments } from '@proofmark/domain';
import { Composer, type Document, isMap, isScalar, Parser, visit } from 'yaml';
import { composing, deepBracket, deepestSuiteFile, repeatedKey } from './yaml-dialect.ts';

export const readArguments: ReadArguments = (text) => {
  if (/^\s*\{.*\}\s*$/s.test(text)) {
    return { problem: 'remove the braces: write name: value between the parentheses.' };
  }
  const flow = `{${text}}`;
  if (deepBracket(flow) !== undefined) {
    return { problem: `they are nested deeper than ${deepestSuiteFile} levels.` };
  }
  const [document, another] = [...new Composer(composing).compose(new Parser().parse(flow))];
  if (document === undefined || another !== undefined) return { problem: unreadable };
  const problem = problemOf(document);
  if (problem !== undefined) return { problem };
  const value: unknown = document.toJS();
  return isRecord(value) ? { arguments: value } : { problem: unreadable };
};

const unreadable =
  'write name: value, separated by commas; put a text with a comma, colon, # or bracket in quotes.';

function problemOf(document: Document.Parsed): string | undefined {
  const { contents } = document;
  if (document.errors.length + document.warnings.length > 0 || !isMap(contents)) return unreadable;
  const twice = repeatedKey(document);
  if (twice !== undefined) return `${twice.key} is written twice.`;
  let hasAlias = false;
  visit(document, {
    Alias() {
      hasAlias = true;
      return visit.BREAK;
    },
  });
  if (hasAlias) return 'they cannot contain YAML aliases; write the value itself.';
  const bare = contents.items.find(({ value }) => value === null)?.key;
  if (!isScalar(bare)) return undefined;
  const written = String(bare.source ?? bare.value);
  const [name, value] = written.split(/[:=](.*)/s);
  if (value === undefined) return `${written} needs a name, as in name: ${written}.`;
  const isEqual = written.charAt(String(name).length) === '=';
  const reason = isEqual ? 'write a colon between name and value' : 'write a space after the colon';
  return `${reason}: ${name}: ${value}.`;
}
