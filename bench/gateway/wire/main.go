// Both ends of the wire for the benchmark of the gateway: a model that answers at once, and clients that send one
// request after the other. In Go, so that neither is what the figures measure.
//
//	wire provider           prints its port, serves until it is killed
//	wire load OPTIONS       sends requests, prints what they took as JSON
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "provider" {
		serve()
	} else if len(os.Args) > 1 && os.Args[1] == "load" {
		load(os.Args[2:])
	} else {
		fmt.Fprintln(os.Stderr, "usage: wire provider | wire load -url URL -bodies FILE ...")
		os.Exit(2)
	}
}

// Provider ---------------------------------------------------------------------------------------------

const head = `"id":"chatcmpl-1","created":1700000000,"model":"bench"`

var content = strings.Repeat("The quick brown fox jumps over the lazy dog. ", 18)
var answer = answerWith(content)
var validJson = answerWith(`{"name":"fox","text":"` + content + `"}`)

func answerWith(content string) []byte {
	return []byte(fmt.Sprintf(`{%s,"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}],"usage":{"prompt_tokens":200,"completion_tokens":180,"total_tokens":380}}`, head, content))
}

var sentences = []string{
	"Call Maria Jensen in Aarhus at +45 20 12 34 56 before the report goes to the board.",
	"The invoice went to jens.holm@example.com, and his card 4111 1111 1111 1111 was refused.",
	"Our team looks at costs of storage and at requests that took longer than they did in spring.",
	"A reader should be able to check each figure, so say where it comes from and who wrote it down.",
}

// A text with personal data, as personalText of ../bodies.mjs makes it.
func personalText(number, characters int) string {
	text := fmt.Sprintf("Case %d.", number)
	for length, at := 0, number; ; at += 1 + number%3 {
		sentence := sentences[at%len(sentences)]
		length += len(sentence) + 1
		if length > characters {
			return text
		}
		text += " " + sentence
	}
}

// The report of a case, as reportText of ../bodies.mjs writes it: another one for each request.
func report(number int) []byte {
	return answerWith(fmt.Sprintf(`{"title":"Case %d","priority":"normal","people":[{"name":"Maria Jensen","role":"customer","emails":["maria.jensen%d@example.com"]}],"steps":[{"within_days":3,"what":"Call her before the report goes to the board.","done":false}],"summary":"%s"}`, number, number, personalText(number, 1500)))
}

// A hundred vectors of 1,536 numbers in base64.
func embeddings() []byte {
	var numbers bytes.Buffer
	for at := 0; at < 1536; at++ {
		binary.Write(&numbers, binary.LittleEndian, float32(math.Sin(float64(at))))
	}
	vector := base64.StdEncoding.EncodeToString(numbers.Bytes())
	list := make([]string, 100)
	for index := range list {
		list[index] = fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":"%s"}`, index, vector)
	}
	return []byte(fmt.Sprintf(`{"object":"list","data":[%s],"model":"bench","usage":{"prompt_tokens":3000,"total_tokens":3000}}`, strings.Join(list, ",")))
}

func chunk(delta string, reason string) []byte {
	return []byte(fmt.Sprintf("data: {%s,\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", head, delta, reason))
}

func events() [][]byte {
	list := [][]byte{chunk(`{"role":"assistant","content":""}`, "null")}
	for number := 0; number < 47; number++ {
		list = append(list, chunk(fmt.Sprintf(`{"content":"token%d "}`, number), "null"))
	}
	return append(list, chunk(`{}`, `"stop"`), []byte("data: [DONE]\n\n"))
}

// The events of a tool call, as agents ask for it: its arguments in as many events as the usual text, and its usage.
func callEvents() [][]byte {
	start := `{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"tool_1","arguments":""}}]}`
	list := [][]byte{chunk(start, "null"), callChunk(`{\"path\":\"`)}
	for number := 0; number < 45; number++ {
		list = append(list, callChunk(fmt.Sprintf("token%d ", number)))
	}
	usage := fmt.Sprintf("data: {%s,\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":{\"prompt_tokens\":13000,\"completion_tokens\":90,\"total_tokens\":13090}}\n\n", head)
	return append(list, callChunk(`\"}`), chunk(`{}`, `"tool_calls"`), []byte(usage), []byte("data: [DONE]\n\n"))
}

// `arguments` in the form that they have inside a JSON string.
func callChunk(arguments string) []byte {
	return chunk(fmt.Sprintf(`{"tool_calls":[{"index":0,"function":{"arguments":"%s"}}]}`, arguments), "null")
}

// What a request asks of this model in its text, such as `events=100`; 0 where it asks for nothing.
func wish(body []byte, name string) int {
	at := bytes.Index(body, []byte(name))
	number := 0
	for at >= 0 && at+len(name) < len(body) && body[at+len(name)] >= '0' && body[at+len(name)] <= '9' {
		number = number*10 + int(body[at+len(name)]-'0')
		at++
	}
	return number
}

// A stream with this number of text events; the usual one where no number is asked for.
func streamOf(usual [][]byte, events int) [][]byte {
	if events == 0 {
		return usual
	}
	list := [][]byte{usual[0]}
	for number := 0; number < events; number++ {
		list = append(list, usual[1+number%47])
	}
	return append(list, usual[len(usual)-2], usual[len(usual)-1])
}

func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	stream := events()
	calls := callEvents()
	vectors := embeddings()
	var reports atomic.Int64
	handler := func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		// A collector of spans, for an engine that traces.
		if request.URL.Path == "/v1/traces" {
			response.Header().Set("content-type", "application/x-protobuf")
			return
		}
		if bytes.Contains(body, []byte(`"stream":true`)) {
			response.Header().Set("content-type", "text/event-stream")
			hold := time.Duration(wish(body, "hold_ms=")) * time.Millisecond
			// Writes one event at a time, as models send them.
			usual := stream
			if bytes.Contains(body, []byte(`"tools":[`)) {
				usual = calls
			}
			for index, event := range streamOf(usual, wish(body, "events=")) {
				response.Write(event)
				response.(http.Flusher).Flush()
				if index == 0 && hold > 0 {
					time.Sleep(hold)
				}
			}
			return
		}
		text := answer
		// The model "valid" answers with JSON that fits the benchmark's schema, and any other model with prose.
		if bytes.Contains(body, []byte(`"model":"valid"`)) {
			text = validJson
		} else if bytes.Contains(body, []byte(`"model":"report"`)) {
			text = report(int(reports.Add(1)))
		}
		if strings.HasSuffix(request.URL.Path, "/embeddings") {
			text = vectors
		}
		response.Header().Set("content-type", "application/json")
		response.Header().Set("content-length", strconv.Itoa(len(text)))
		response.Write(text)
	}
	check(http.Serve(listener, http.HandlerFunc(handler)))
}

// Clients ----------------------------------------------------------------------------------------------

type options struct {
	address, path, key, until string
	bodies                    [][]byte
	pause                     time.Duration
	traced                    float64
}

func load(arguments []string) {
	flags := flag.NewFlagSet("load", flag.ExitOnError)
	target := flags.String("url", "", "where to")
	file := flags.String("bodies", "", "a file with one body for each line; they are sent in turn")
	key := flags.String("key", "", "the API key")
	until := flags.String("until", "", "what each answer must hold, once and near its end")
	connections := flags.Int("connections", 32, "clients")
	total := flags.Int64("total", 1000, "requests in all")
	rate := flags.Float64("rate", 0, "requests a second; 0: as many as there can be")
	hangUp := flags.Float64("hangUp", 0, "the share of clients that leave once their answer has begun")
	traced := flags.Float64("traced", -1, "the share of requests whose traceparent says that they are sampled; below 0 none has one")
	pauseMs := flags.Int("pauseMs", 0, "how long a client waits before it reads its answer")
	check(flags.Parse(arguments))
	parsed, err := url.Parse(*target)
	check(err)
	text, err := os.ReadFile(*file)
	check(err)
	o := options{address: parsed.Host, path: parsed.Path, key: *key, until: *until, traced: *traced}
	o.pause = time.Duration(*pauseMs) * time.Millisecond
	for number, body := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		o.bodies = append(o.bodies, o.request(number, body))
	}
	var next atomic.Int64
	var failed, left, full atomic.Int64
	var firstFailure atomic.Value
	times := make([][]float64, *connections)
	var clients sync.WaitGroup
	start := time.Now()
	for number := 0; number < *connections; number++ {
		clients.Add(1)
		go func() {
			defer clients.Done()
			var c *client
			for {
				index := next.Add(1) - 1
				if index >= *total {
					break
				}
				began := time.Now()
				if index == *total-1 {
					full.Store(int64(began.Sub(start)))
				}
				if *rate > 0 {
					due := start.Add(time.Duration(float64(index) / *rate * float64(time.Second)))
					time.Sleep(time.Until(due))
					// The time counts from the moment when the request was due, because a late start is part of what a client waits.
					began = due
				}
				var err error
				if c == nil {
					c, err = connect(o)
				}
				if err == nil && float64(index%1000) < *hangUp*1000 {
					// This client disconnects for good, and another one takes its place.
					if err = c.leave(o.bodies[index%int64(len(o.bodies))]); err == nil {
						left.Add(1)
						c = nil
						continue
					}
				}
				if err == nil {
					err = c.send(o.bodies[index%int64(len(o.bodies))])
				}
				if err != nil {
					failed.Add(1)
					firstFailure.CompareAndSwap(nil, err.Error())
					if c != nil {
						c.connection.Close()
					}
					c = nil
					continue
				}
				times[number] = append(times[number], float64(time.Since(began))/1e6)
			}
			if c != nil {
				c.connection.Close()
			}
		}()
	}
	clients.Wait()
	seconds := time.Since(start).Seconds()
	var all []float64
	for _, list := range times {
		all = append(all, list...)
	}
	sort.Float64s(all)
	at := func(share float64) float64 {
		if len(all) == 0 {
			return 0
		}
		return all[int(share*float64(len(all)-1))]
	}
	reason, _ := firstFailure.Load().(string)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seconds": seconds, "fullSeconds": time.Duration(full.Load()).Seconds(), "failed": failed.Load(), "left": left.Load(), "reason": reason, "p50": at(0.5), "p99": at(0.99),
	}))
}

// The header by which the client decides whether a request is traced. Sampled requests are evenly spread; "" leaves
// the decision to others.
func (o options) traceparent(number int) string {
	if o.traced < 0 {
		return ""
	}
	flags := int(math.Floor(float64(number+1)*o.traced) - math.Floor(float64(number)*o.traced))
	return fmt.Sprintf("traceparent: 00-%016x%016x-%016x-%02x\r\n", rand.Uint64(), rand.Uint64(), rand.Uint64()|1, flags)
}

func (o options) request(number int, body []byte) []byte {
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nhost: %s\r\nauthorization: Bearer %s\r\ncontent-type: application/json\r\n"+
		"accept: application/json\r\nuser-agent: OpenAI/JS 6.49.0\r\naccept-encoding: gzip, deflate, br\r\n"+
		"x-stainless-lang: js\r\nx-stainless-package-version: 6.49.0\r\nx-stainless-os: Linux\r\nx-stainless-arch: x64\r\n"+
		"x-stainless-runtime: node\r\nx-stainless-runtime-version: v20.20.2\r\nx-stainless-retry-count: 0\r\n"+
		"%scontent-length: %d\r\n\r\n", o.path, o.address, o.key, o.traceparent(number), len(body))
	return append([]byte(head), body...)
}

type client struct {
	connection net.Conn
	reader     *bufio.Reader
	until      []byte
	body       []byte
	pause      time.Duration
}

func connect(o options) (*client, error) {
	connection, err := net.Dial("tcp", o.address)
	if err != nil {
		return nil, err
	}
	return &client{connection, bufio.NewReaderSize(connection, 64<<10), []byte(o.until), nil, o.pause}, nil
}

// Sends one request, waits for the first bytes of its answer, and hangs up.
func (c *client) leave(request []byte) error {
	defer c.connection.Close()
	c.connection.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := c.connection.Write(request); err != nil {
		return err
	}
	_, err := c.reader.ReadByte()
	return err
}

// Sends one request and reads its complete answer.
func (c *client) send(request []byte) error {
	c.connection.SetDeadline(time.Now().Add(120 * time.Second))
	if _, err := c.connection.Write(request); err != nil {
		return err
	}
	if c.pause > 0 {
		time.Sleep(c.pause)
	}
	status, err := c.line()
	if err != nil {
		return err
	}
	ok := strings.HasPrefix(status, "HTTP/1.1 200")
	length, chunked := 0, false
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(name) {
		case "content-length":
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		case "transfer-encoding":
			chunked = true
		}
	}
	c.body = c.body[:0]
	if chunked {
		err = c.readChunks()
	} else {
		err = c.readMore(length)
	}
	if err != nil {
		return err
	}
	if !ok || !bytes.Contains(c.body, c.until) {
		return fmt.Errorf("%s: %.300s", status, c.body)
	}
	return nil
}

func (c *client) readChunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		length, err := strconv.ParseInt(line, 16, 32)
		if err != nil {
			return err
		}
		if err := c.readMore(int(length)); err != nil {
			return err
		}
		if _, err := c.line(); err != nil {
			return err
		}
		if length == 0 {
			return nil
		}
	}
}

func (c *client) readMore(length int) error {
	at := len(c.body)
	c.body = append(c.body, make([]byte, length)...)
	_, err := io.ReadFull(c.reader, c.body[at:])
	return err
}

func (c *client) line() (string, error) {
	line, err := c.reader.ReadSlice('\n')
	return strings.TrimRight(string(line), "\r\n"), err
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
