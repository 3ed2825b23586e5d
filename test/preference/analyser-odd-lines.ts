/** Lines of team chat that ask for nothing: nods, reactions, other languages, commands, what nobody types. */
import type { Line } from './analyser-lines.ts'

const SHORT = 'Yes, it is free.'
const LONG = `${'The index keeps the keys in order, so that a lookup reads few pages of the table. '.repeat(12)}`

export const OTHER_LANGUAGES: readonly Line[] = [
  ['Kannst du mir bitte sagen, wie spät es ist?', 'all: not in English'],
  ['Je ne sais pas comment faire pour vous aider avec ça', 'all: not in English'],
  ['¿Puedes explicarme cómo funciona esto por favor?', 'all: not in English'],
  ['これはどういう意味ですか、教えてください', 'all: not in English'],
  ['Как это работает, расскажи подробнее пожалуйста', 'all: not in English'],
  ['مرحبا كيف يمكنني إعداد الخادم اليوم', 'all: not in English'],
  ['איך אני מגדיר את השרת הזה היום בבוקר', 'all: not in English'],
  ['Proszę wyjaśnij mi jak to działa na serwerze', 'all: not in English'],
  ['Ik weet niet wat ik met dit bestand moet doen', 'all: not in English'],
  ['xkcd qwrt zzgh plmk vbnw', 'all: not in English'],
]

export const NODS: readonly Line[] = [
  ['ok', 'all: an acknowledgement'],
  ['Okay, got it', 'all: an acknowledgement'],
  ['👍', 'all: no words'],
  ['😂😂😂', 'all: no words'],
  [':tada: :tada:', 'all: an acknowledgement'],
  ['thanks', 'all: an acknowledgement'],
  ['yes', 'all: an acknowledgement'],
  ['lol', 'all: an acknowledgement'],
  ['hahahaha', 'all: an acknowledgement'],
  ['sounds good, will do', 'all: an acknowledgement'],
  ['good morning all', 'all: an acknowledgement'],
  ['+1', 'all: an acknowledgement'],
  ['...', 'all: no words'],
  ['?', 'all: no words'],
  ['', 'all: an empty message'],
  ['   \t ', 'all: an empty message'],
  ['deploy it now', 'all: fewer than 4 words'],
  ['where is Anna', 'all: fewer than 4 words'],
]

export const ACCEPTED: readonly Line[] = [
  ['thanks!', 'accepted length=brief | accepted density=sparse', SHORT],
  ['thank you so much', 'accepted length=detailed | accepted density=moderate', LONG],
  ['perfect, exactly what I needed', 'accepted length=detailed | accepted density=moderate', LONG],
  ['great answer!', 'accepted length=detailed | accepted density=moderate', LONG],
  ['ty 🙏', 'accepted length=detailed | accepted density=moderate', LONG],
  ['thanks, but shorter please', 'length=brief', LONG],
  ['thanks, but that is wrong', '', LONG],
  ['thanks for nothing', '', LONG],
  ['no thanks', '', LONG],
  ['thanks in advance', '', LONG],
  ["that's great but it doesn't compile", '', LONG],
  ['thanks', 'all: an acknowledgement', ''],
  ['ok', 'all: an acknowledgement', LONG],
  ['what about the second index?', '', LONG],
  ['thanks, and be more formal', 'formality=formal | accepted length=detailed | accepted density=moderate', LONG],
]

export const COMMANDS: readonly Line[] = [
  ['/persona', 'all: a command'],
  ['/persona set length brief', 'all: a command'],
  ['  /tune lambda 0.3', 'all: a command'],
  ['/help be more formal please', 'all: a command'],
  ['/etc/hosts is empty on my laptop today', ''],
]

export const WORDED: readonly Line[] = [
  ['lol that is hilarious, you crack me up 😂', 'words tone=humorous | words emotion=joyful'],
  ['Thank you so much, you are wonderful and I really appreciate your help', 'words tone=warm'],
  ['this is complete garbage and I hate it, fix it', 'words emotion=angry'],
  ["I'm so sad, my cat died last night", 'words emotion=sad'],
  ["I'm really scared that the launch will fail", 'words emotion=anxious'],
  ['wow, I did not expect that at all!', 'words emotion=surprised'],
  ['what does this option do and how is it set?', 'words emotion=curious'],
  ['yo dude u gonna fix dat thing or nah lol', 'words formality=casual'],
  ['Pursuant to the agreement, the committee shall review the regulation.', 'words formality=formal'],
  ['The server restarts at noon.', 'length: fewer than 32 words | density: fewer than 8 words'],
  ['Could you tell me where the staging server keeps its logs?', 'length: fewer than 32 words'],
  [LONG.slice(0, 320), 'words length=moderate'],
]

export const HOSTILE: readonly Line[] = [
  [`shorter please ${'x'.repeat(200_000)}`, ''],
  ['be more formal. '.repeat(12_500), 'formality=formal'],
  [`${'a '.repeat(100_000)}shorter please`, ''],
  ['('.repeat(200_000), 'all: no words'],
  ['\u0000shorter\u0000 please\u0000', 'length=brief'],
  ['\u0000\u0000\u0000', 'all: no words'],
  ['\ud800\udc00\ud800 shorter please \udfff', ''],
  ['\ud800', 'all: no words'],
  ['\u202eshorter please\u202c', 'length=brief'],
  ['s\u200bhorter please', 'length=brief'],
  ['SHORTER PLEASE!!!', 'length=brief'],
  ['be constructor please', ''],
  ['don’t be so formal', 'formality=casual'],
  ['be more formal\u00a0please', 'formality=formal'],
  ['קצר יותר: shorter please', 'length=brief'],
  ['👍 shorter please 👍', 'length=brief'],
  ['"""""" be brief', 'length=brief'],
  ['> > > shorter please', 'all: no words of their own'],
]
