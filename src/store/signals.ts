/** What people said of replies in their next message. */

export type SignalKind = 'corrected' | 'asked-again' | 'thanked'
