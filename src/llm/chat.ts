/** The words in which the bot speaks with a language model: messages in, streaming text out. */

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Blank only beside tool calls. */
  readonly content: string
  /** Of the assistant: what it called before this. */
  readonly toolCalls?: readonly ToolCall[]
  /** Of a tool: whose result this is. */
  readonly toolName?: string
}

/** Something that the model may call. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** A JSON schema of an object. */
  readonly parameters: object
}

/** As the model gave it: name and arguments are unchecked. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
}

export interface ChatOptions {
  /** Aborting closes the connection, which ends generation at the server; `chat` then rejects with the signal's reason. */
  readonly signal: AbortSignal
  /**
   * Tokens of the answer, from 1. A soft bound: past it the answer ends with the next sentence, list item or code block.
   * With `format` it is a hard one, as half a JSON value is worth nothing.
   */
  readonly maxTokens: number
  /** Gets the whole visible text so far, never blank. When an attempt broke and is made again, the text begins anew. */
  readonly onText?: (textSoFar: string) => void
  /** A JSON schema for the answer. Ollama obeys it in most calls, not in all. */
  readonly format?: object
  /** What it may call. Only for a model that `takesTools`; another one is refused with `no-tools`. */
  readonly tools?: readonly Tool[]
}

export interface ChatAnswer {
  /** The visible answer, blank only beside tool calls. Only this may be stored or sent back as history: it holds no thinking. */
  readonly text: string
  /** In the order in which they came; absent when there are none. What is written like a call in the text is none. */
  readonly toolCalls?: readonly ToolCall[]
  /** From the call to the last byte, a second attempt included. */
  readonly ms: number
  /** Counted by the server; estimated when the answer was ended at the soft bound. */
  readonly promptTokens: number
  readonly tokens: number
  readonly retried: boolean
}

export interface Llm {
  readonly model: string
  /** What a prompt and its answer may take together. */
  readonly contextTokens: number
  /** @throws LlmError, or the reason of an aborted signal. */
  chat(messages: readonly ChatMessage[], options: ChatOptions): Promise<ChatAnswer>
  /** Whether it can be given tools, as the server says; absent: it can't. @throws like `chat` */
  takesTools?(signal: AbortSignal): Promise<boolean>
}
