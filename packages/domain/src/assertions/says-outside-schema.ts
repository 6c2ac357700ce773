/**
 * Whether an error text rejects a value because of its type, or because the value is not in a list
 * of choices. Such an error is wrong if the tool's input schema allows the arguments.
 */
export function saysOutsideSchema(text: string): boolean {
  return outsideSchema.some((pattern) => pattern.test(text.slice(0, longestRead)));
}

const longestRead = 20_000;

const outsideSchema: readonly RegExp[] = [
  /expected (?:an? )?(?:string|number|integer|boolean|array|object)\b.{0,40}\breceived/i,
  /invalid_type|invalid_enum_value|\binvalid enum value\b|\binvalid option: expected one of\b/i,
  /input should be (?:an? valid\b|')/i,
  /\bis not of type\b|\bis not one of \[|must be equal to one of the allowed values/i,
];
