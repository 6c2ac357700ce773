import * as z from 'zod';

export const Id = z.string().min(1).max(128);

/** Milliseconds since 1970-01-01 UTC, because published clients expect that format. */
export const Instant = z.number().int();

/** A text on one line: trimmed, not empty. */
export function oneLine(most: number, what: string) {
  return (
    z
      .string()
      .trim()
      .min(1, `${what} must not be empty.`)
      .max(most, `${what} has at most ${most} characters.`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what one line must not hold.
      .regex(/^[^\u0000-\u001f\u007f]*$/, `${what} must not hold control characters.`)
  );
}

export const Name = oneLine(200, 'A name');

export const Description = z.string().max(2000, 'A description has at most 2,000 characters.');

/** A list in a query: some of `words`, separated by commas. */
export function commaListOf(words: readonly string[]) {
  return z
    .string()
    .max(200)
    .refine((text) => text.split(',').every((word) => words.includes(word)), {
      error: `Use one or more of these words, separated by commas: ${words.join(', ')}.`,
    });
}

export const nextCursor = z
  .string()
  .optional()
  .meta({ description: 'Absent on the last page. Opaque; pass it back unchanged.' });

export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z
    .object({
      items: z.array(item),
      nextCursor,
    })
    .meta({ id });
}

export function deletedShape(id: string) {
  return z.object({ id: Id, deleted: z.literal(true) }).meta({ id });
}

/** Rejects an edit without any field, which is probably a mistake. */
export function atLeastOneField<Shape extends z.ZodObject>(shape: Shape) {
  return shape.refine((value) => Object.keys(value).length > 0, {
    message: 'Send at least one field to change.',
  });
}
