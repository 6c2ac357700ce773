export const smallTalk = [
  'Good morning!',
  'Thank you, that was all for today.',
  'How are you doing?',
  'You have been very kind.',
  'Never mind, I was only thinking aloud.',
  'Ha, that made me laugh.',
  'I should go to lunch now.',
  'Glad to hear it.',
  'Sorry, wrong window.',
  'Have a lovely evening.',
] as const;
