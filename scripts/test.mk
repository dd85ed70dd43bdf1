# Tests. "test" is what CI proves; "check" is what to run before a commit.
SHUFFLE ?= on
# Packages in which goroutines meet.
RACE := loop record rollout telemetry web cmd
# Long walks and commands of one goroutine each: unit runs them, race would take
# minutes.
LONG := ^Test(EveryRigWalks|EveryGaitWalks|EveryCombinationRepeats|Goldens|ClipsDriveTheSimulator|RealClipsDriveTheSimulator|RehearseClips)$$|^TestScripts$$/^(catalogue|clips|docs|export|gaits|headless|record|usage)$$
# Processes, servos and brokers that keep time by the clock: beside other tests
# they would measure those, so they run one after the other, and without the
# race detector.
LIVE := ^Test(RunKills|SerialEndToEnd|Dashboard|BrokerKilled|RestartFromThePage|ROSNode|Screens|PadPulledOut|RateAgainstBareClient|LatencyAgainstBareClient)$$

.PHONY: test check unit race fuzz cross golden soak tools-test

test: ## everything CI proves: vet, staticcheck, tests, race, real MQTT clients, the page in a browser, cross builds
	@scripts/need.sh go: cc:gcc mosquitto:mosquitto mosquitto_pub:mosquitto-clients socat:socat python3/paho.mqtt.client:python3-paho-mqtt node:nodejs npm:npm chromium:chromium
	@scripts/steps.sh page format vet staticcheck unit live browser race cross

check: ## vet, staticcheck and the short tests, under a minute
	@scripts/steps.sh vet staticcheck short

unit:
	@if command -v npm >/dev/null; then scripts/npm.sh tools/physics; scripts/npm.sh tools/recording; fi
	@scripts/gotest.sh -shuffle=$(SHUFFLE) -skip '$(LIVE)' -timeout 900s ./...

.PHONY: live
live: ## the tests that keep time by the clock, one after the other
	@scripts/gotest.sh -p 1 -parallel 1 -run '$(LIVE)' -timeout 900s ./cmd/legctl ./drivers ./telemetry/mqtt

# Apart from the others: a page drawn in software beside them would be too slow.
.PHONY: browser
browser: page ## drive every control of the page in a real browser
	@scripts/need.sh node:nodejs npm:npm chromium:chromium
	@scripts/npm.sh web/page
	@LEGCTL_BROWSER=1 scripts/gotest.sh -run '^TestBrowser' -timeout 900s ./cmd/legctl

.PHONY: short
short:
	@scripts/gotest.sh -short -skip '$(LIVE)' -timeout 60s ./...

race: ## the packages with goroutines under the race detector
	@CGO_ENABLED=1 scripts/gotest.sh -race -short -skip '$(LONG)|$(LIVE)' -timeout 900s $(patsubst %,./%/...,$(wildcard $(RACE)))

fuzz: ## every fuzz target for 30 s (FUZZTIME=2m changes that)
	@scripts/fuzz.sh

cross: ## build for every system a release is made for
	@scripts/cross.sh

golden: ## rewrite the committed hashes, traces and golden files, then show what changed
	@scripts/golden.sh

soak: ## long runs; stop and start as you like, figures go to docs/soak.md
	@scripts/soak.sh
