/** A field with several names. Null counts as absent; stated values must agree. */
import { canonicalJson } from '../kernel/canonical-json.ts';

/** Each name with a function that reads its value. */
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

/** Reports each disagreement at the later of the two names. */
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
