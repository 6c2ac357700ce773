/** One thing that may be said under several names. Null says nothing; names that are said must agree. */
import { canonicalJson } from '../kernel/canonical-json.ts';

/** Each name with what a value says under it. */
export type Spellings<Value, Said> = Readonly<
  Record<string, (value: Value) => Said | null | undefined>
>;

export function agreeing<Value, Said>(
  value: Value,
  spellings: Spellings<Value, Said>,
): Said | undefined {
  return Object.values(spellings)
    .map((read) => read(value))
    .find((said) => said !== null && said !== undefined) as Said | undefined;
}

/** At the later of two names that say different things. */
export function disagreements<Value>(
  value: Value,
  things: Readonly<Record<string, Spellings<Value, unknown>>>,
): readonly { readonly path: string; readonly message: string }[] {
  return Object.values(things).flatMap((spellings) => {
    const stated = Object.entries(spellings).flatMap(([name, read]) => {
      const said = read(value);
      return said === null || said === undefined ? [] : [{ name, text: canonicalJson(said) }];
    });
    const [first, ...others] = stated;
    return others
      .filter(({ text }) => text !== first?.text)
      .map(({ name }) => ({
        path: name,
        message: `${first?.name} and ${name} contradict each other; give one of them.`,
      }));
  });
}
