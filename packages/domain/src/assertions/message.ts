export interface Message {
  readonly role: string;
  readonly content: string | readonly unknown[];
}
