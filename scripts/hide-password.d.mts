export function withoutPassword(text: string): string;
