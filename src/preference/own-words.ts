/** What a person wrote themselves: a message without its code, quotations, links and pasted text. */

/** A message is read this far; nobody states a preference later than that. */
export const READ_AT_MOST = 4000

const MATERIAL =
  /\b(?:summari[sz]e|translate|proofread|review|rewrite|rephrase|paraphrase|reword|fix|edit|correct|check|improve|shorten|explain|analy[sz]e|debug|here(?:'s| is| are)|below|following|error|log|output|text|message|e-?mail|draft)\b/i
/** Links, addresses of mail, and what platforms write for a mention or an emoji. */
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,40}|<[@#!:][^>\s]{1,80}>/g
const QUOTED = [/"[^"\n]{1,600}"/g, /“[^”\n]{1,600}”/g, /«[^»\n]{1,600}»/g, /„[^“”\n]{1,600}[“”]/g]
const SINGLE_QUOTED = /(^|[\s(:,])['‘][^'‘’\n]{2,300}['’](?=[\s.,;:!?)]|$)/gm

/** Cuts, unifies and strips. What comes back may be empty; it holds no NUL, lone surrogate or direction mark. */
export function ownWords(message: string): string {
  const text = clean(message.slice(0, READ_AT_MOST))
  const lines = withoutFences(text).split('\n')
  const own = untilQuotedMail(lines).filter((line) => !/^\s*(?:>|&gt;)/.test(line) && !isPasted(line))
  let words = withoutMaterial(own.join('\n').replace(/`[^`\n]*`/g, ' '))
  if (/:\/\/|www\.|[@<]/.test(words)) words = words.replace(ADDRESS, ' ')
  for (const pattern of QUOTED) words = words.replace(pattern, ' " ')
  return words.replace(SINGLE_QUOTED, '$1 " ').trim()
}

/** Marks that nobody sees are dropped; apostrophes become straight. */
function clean(text: string): string {
  if (/^[\t\n -~]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(/(?![\t\n])\p{Cc}|\p{Cf}|\ufffd/gu, '')
    .replace(/(?<=\p{L})[’ʼ´](?=\p{L})/gu, "'")
    .normalize('NFC')
}

/** A fence that is never closed reaches to the end. */
function withoutFences(text: string): string {
  const parts = text.split(/```|~~~/)
  return parts.filter((_, i) => i % 2 === 0).join('\n')
}

function untilQuotedMail(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex(
    (line, i) =>
      /^\s*-{3,} ?(?:original|forwarded) message/i.test(line) ||
      (line.length < 300 && /^\s*On .+ wrote:\s*$/.test(line)) ||
      (/^\s*From: /.test(line) && /^\s*(?:Sent|Date|To): /.test(lines[i + 1] ?? '')),
  )
  return start < 0 ? lines : lines.slice(0, start)
}

/** Lines that a machine wrote, or that are code without a fence. */
function isPasted(line: string): boolean {
  const text = line.trim()
  if (text.length === 0) return false
  if (MACHINE.some((pattern) => pattern.test(text))) return true
  const symbols = text.match(/[{}[\]<>=;|&$%#\\_*+^~]/g)?.length ?? 0
  return text.length >= 12 && symbols / text.length > 0.15
}

const MACHINE = [
  /^at \S.*[:(]\d+/,
  /^(?:Traceback \(most recent|File ".+", line \d+|Caused by:|\.{3} \d+ more)/,
  /^[\w.$]{2,80}(?:Error|Exception)\b:? /,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d/,
  /^\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\b[\]:\s]/,
  /^(?:npm|yarn) (?:ERR!|WARN)/,
  /^(?:\$|#!|>>>) ?\S/,
  /^(?:[+-]{3} [ab]\/|@@ |diff --git )/,
  /^(?:const|let|var|def|class|function|import|export|return|public|private|static|fn|func|package|#include|SELECT|INSERT|UPDATE|DELETE FROM|CREATE TABLE)\b.*[;{}()=:*]\s*$/,
  /^(?:if|for|while|switch) ?\(.+\) ?\{?$/,
  /^[{}[\]();,]+$/,
  /^"[\w-]+": /,
]

/** "Summarise this: <text>" and "here is the log:\n<text>": what follows the colon is not about how to answer. */
function withoutMaterial(text: string): string {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const rest = text.slice(colon + 1)
    if (!/^\s/.test(rest)) continue
    const lead = text.slice(Math.max(0, colon - 120), colon)
    const sentence = lead.slice(1 + Math.max(...['.', '!', '?', '\n'].map((mark) => lead.lastIndexOf(mark))))
    if (MATERIAL.test(sentence)) return text.slice(0, colon)
  }
  return text
}
